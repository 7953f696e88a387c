// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Gathers evidence on whether a path leads to the Internet.
///
/// `InternetCheck` conforms. A test, or an app with its own definition of the Internet, may supply another type.
public protocol InternetChecking: Sendable {
    /// The operators that a check can query individually; empty by default, which means that every check queries all.
    var endpointOperators: [InternetCheck.Operator] { get }

    /// Checks once, querying all operators.
    ///
    /// The monitor runs one check at a time. It cancels the task when it no longer needs the result, and ignores a
    /// result that arrives after that. It abandons a check that takes longer than
    /// `ConnectivityMonitor.Configuration.checkTimeLimit`.
    ///
    /// - Parameter path: the current path.
    func check(over path: NetworkPath) async -> InternetCheck.Report

    /// Checks once, querying one operator and, unless all of its endpoints pass, all operators.
    ///
    /// - Parameters:
    ///   - path: the current path.
    ///   - operatorName: the name of one of `endpointOperators`.
    /// - Returns: the report of the last round, which lists only the endpoints of that round.
    func check(over path: NetworkPath, startingWith operatorName: String) async -> InternetCheck.Report

    /// The time limit of a check by its own configuration; nil if it is unknown.
    ///
    /// A monitor does not give up a check before.
    var timeLimit: Duration? { get }

    /// The hosts that a check contacts, and that may have a route although there is no path to the Internet, such as
    /// proxies; empty by default.
    ///
    /// While there is no path, a monitor of all interfaces also checks if there is a route to one of them.
    var nearbyHosts: [HostTarget.Host] { get }
}

extension InternetChecking {
    /// No operators: every check queries all.
    public var endpointOperators: [InternetCheck.Operator] { [] }

    /// Checks once, querying all operators.
    public func check(over path: NetworkPath, startingWith operatorName: String) async -> InternetCheck.Report {
        await check(over: path)
    }

    /// Unknown.
    public var timeLimit: Duration? { nil }

    /// None: without a path there is no check.
    public var nearbyHosts: [HostTarget.Host] { [] }
}

extension InternetCheck: InternetChecking {
    /// The limit of the configuration.
    public var timeLimit: Duration? { configuration.timeouts.total }

    /// Checks over whichever interface the system chooses, querying all operators.
    ///
    /// A captive portal counts only if it was announced on the link that the path uses.
    public func check(over path: NetworkPath) async -> Report {
        await bound(to: path) { await $0.run(on: path.announcingLink, over: path) }
    }

    /// Checks as `check(over:)` does, querying one operator and, unless all of its endpoints pass, all operators.
    public func check(over path: NetworkPath, startingWith operatorName: String) async -> Report {
        await bound(to: path) { await $0.run(on: path.announcingLink, over: path, startingWith: operatorName) }
    }

    /// Runs the check, over the first interface of the path if it is bound to that.
    private func bound(to path: NetworkPath, _ run: (InternetCheck) async -> Report) async -> Report {
        guard isBoundToPath else { return await run(self) }
        var check = self
        check.isBoundToPath = false
        if let interface = path.interfaces.first ?? path.borrower {
            check.configuration.binding = .interfaceOrItsAddress(interface.name)
        } else if path.isKnownToBeMissing {
            // The check must not use an interface that was not requested.
            return Self.report(
                without: HostError(.noRoute, diagnosis: path.diagnosis), endpoints: configuration.endpoints,
                since: time.now, at: time.moment.realtime, on: time)
        }
        return await run(check)
    }
}

extension NetworkPath {
    /// The index of the link whose network may have announced a captive portal; nil if unknown.
    ///
    /// A tunnel announces no portal, and a path does not include which link carries the tunnel.
    var announcingLink: Int? { interfaces.first.flatMap { $0.type == .other ? nil : $0.index } }

    /// The interface over which packets leave with the address of another one.
    fileprivate var borrower: Interface? { diagnosis?.borrowedAddress == nil ? nil : diagnosis?.interface }
}
