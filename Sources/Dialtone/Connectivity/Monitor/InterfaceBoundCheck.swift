// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Checks the Internet over the interface that a path uses, even where the system would choose another.
///
/// Use it for a monitor that watches certain interfaces only: an unbound check would report on the system's choice.
package struct InterfaceBoundCheck: InternetChecking {
    private let check: InternetCheck
    private let isBound: Bool

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - check: a check over any interface; its binding is replaced.
    ///   - isBound: false lets the system choose the interface.
    package init(_ check: InternetCheck, isBound: Bool) {
        self.check = check
        self.isBound = isBound
    }

    package var timeLimit: Duration? { check.timeLimit }

    /// The operators of the configured endpoints.
    package var endpointOperators: [InternetCheck.Operator] { check.endpointOperators }

    /// The hosts that may need no path; empty for a bound check, which needs an interface of the path.
    package var nearbyHosts: [HostTarget.Host] { isBound ? [] : check.nearbyHosts }

    /// Checks over the first interface of a path, querying all operators.
    package func check(over path: NetworkPath) async -> InternetCheck.Report {
        await check(over: path) { await $0.check(over: path) }
    }

    /// Checks over the first interface of a path, querying one operator and, unless all of its endpoints pass, all
    /// operators.
    package func check(over path: NetworkPath, startingWith operatorName: String) async -> InternetCheck.Report {
        await check(over: path) { await $0.check(over: path, startingWith: operatorName) }
    }

    private func check(
        over path: NetworkPath, _ run: (InternetCheck) async -> InternetCheck.Report
    ) async -> InternetCheck.Report {
        var check = check
        if isBound, let interface = path.interfaces.first ?? path.borrower {
            check.configuration.binding = .interfaceOrItsAddress(interface.name)
        } else if isBound, path.isKnownToBeMissing {
            // The check must not use an interface that was not requested.
            return InternetCheck.report(
                without: HostError(.noRoute, diagnosis: path.diagnosis), endpoints: check.configuration.endpoints,
                since: check.time.now, at: check.time.moment.realtime, on: check.time)
        }
        return await run(check)
    }
}

extension InterfaceBoundCheck: HeartbeatTargeting {
    package func heartbeatTargets(over path: NetworkPath) -> HeartbeatTargets {
        var targets = check.heartbeatTargets(over: path)
        guard isBound else { return targets }
        guard let interface = path.interfaces.first else { return HeartbeatTargets() }
        targets.binding = .interfaceOrItsAddress(interface.name)
        return targets
    }
}

extension InternetCheck: InternetChecking {
    /// The limit of the configuration.
    public var timeLimit: Duration? { configuration.timeouts.total }

    /// Checks over whichever interface the system chooses, querying all operators.
    ///
    /// A captive portal counts only if it was announced on the link that the path uses.
    public func check(over path: NetworkPath) async -> Report { await run(on: path.announcingLink, over: path) }

    /// Checks as `check(over:)` does, querying one operator and, unless all of its endpoints pass, all operators.
    public func check(over path: NetworkPath, startingWith operatorName: String) async -> Report {
        await run(on: path.announcingLink, over: path, startingWith: operatorName)
    }
}

extension NetworkPath {
    /// The index of the link whose network may have announced a captive portal; nil if unknown.
    ///
    /// A tunnel announces no portal, and a path does not include which link carries the tunnel.
    var announcingLink: Int? {
        interfaces.first.flatMap { $0.type == .other ? nil : $0.index }
    }

    /// The interface over which packets leave with the address of another one.
    fileprivate var borrower: Interface? { diagnosis?.borrowedAddress == nil ? nil : diagnosis?.interface }
}
