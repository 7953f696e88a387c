// SPDX-License-Identifier: Apache-2.0

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
