// SPDX-License-Identifier: Apache-2.0

/// The reachability of a host at one time, step by step.
public struct HostReport: Hashable, Sendable {
    /// The conclusion.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It can be reached: proven by a connection if one was requested, else by this machine's routing.
        case reachable
        /// It cannot be reached.
        case unreachable
        /// Unknown.
        case unknown
    }

    /// The target of the check.
    public var target: HostTarget
    /// The route by which packets to it would leave this machine.
    ///
    /// For a name that was not resolved, this is the route to the Internet.
    public var route: HostStep<HostRoute>
    /// The addresses of a name, the most preferred of a family first; nil for an address, and if no connection was
    /// requested, because resolving sends packets.
    public var resolution: HostStep<[NetworkAddress]>?
    /// The address that was connected to; nil if no connection was requested or the name has no address.
    public var connection: HostStep<NetworkAddress>?
    /// The port that was connected to.
    public var port: UInt16?
    /// Every attempt to connect, in the order in which they ended.
    public var attempts: [HostAttempt]

    /// Creates a report.
    public init(
        target: HostTarget, route: HostStep<HostRoute>, resolution: HostStep<[NetworkAddress]>? = nil,
        connection: HostStep<NetworkAddress>? = nil, port: UInt16? = nil, attempts: [HostAttempt] = []
    ) {
        self.target = target
        self.route = route
        self.resolution = resolution
        self.connection = connection
        self.port = port
        self.attempts = attempts
    }

    /// The conclusion.
    ///
    /// Proof outweighs routing: a host that was connected to is reachable, whatever the routes say.
    public var state: State {
        if let connection { return Self.state(connection.error) }
        if let error = resolution?.error { return Self.state(error) }
        return Self.state(route.error)
    }

    /// Why the host is not reachable, or not known to be, in one sentence for a user; nil for a reachable host.
    public var reason: String? { error?.description }

    /// The error of the first step that failed; nil for a reachable host.
    public var error: HostError? {
        guard state != .reachable else { return nil }
        let farther = connection?.error ?? resolution?.error
        guard let farther, let near = route.error, near.code == .noRoute else { return farther ?? route.error }
        // The missing route explains these failures; a refusal or a missing name has another cause.
        switch farther.code {
        case .timedOut, .resolverSilent, .resolverUnreachable, .resolverFailed: return near
        case .unreachable: return HostError(.unreachable, errorNumber: farther.errorNumber, diagnosis: near.diagnosis)
        default: return farther
        }
    }

    /// The fields that differ from another report, except durations, in the order and spelling of the JSON object.
    public func changes(since old: HostReport) -> [String] {
        let differs: [(name: String, isDifferent: Bool)] = [
            ("reachable", state != old.state),
            ("route", route.result != old.route.result),
            // Name servers return the same addresses in any order.
            ("resolved", resolution?.result.map { Set($0) } != old.resolution?.result.map { Set($0) }),
            ("connected", connection?.result != old.connection?.result),
        ]
        return differs.filter(\.isDifferent).map(\.name)
    }

    private static func state(_ error: HostError?) -> State {
        switch error?.code {
        case nil: .reachable
        // A lack of descriptors, memory or access on this machine says nothing about the host.
        case .unknown?, .system?: .unknown
        default: .unreachable
        }
    }
}

/// The result and the duration of one step.
public struct HostStep<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The result.
    public var result: Result<Value, HostError>
    /// The duration.
    public var duration: Duration

    /// Creates a step.
    public init(_ result: Result<Value, HostError>, _ duration: Duration) {
        self.result = result
        self.duration = duration
    }

    /// The value; nil if the step failed.
    public var value: Value? { try? result.get() }

    /// The error; nil if the step succeeded.
    public var error: HostError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

/// One attempt to connect.
public struct HostAttempt: Hashable, Sendable {
    /// The outcome of an attempt.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Outcome: Hashable, Sendable {
        /// It connected; the connection was closed again.
        case connected
        /// It failed.
        case failed(HostError)
        /// It was given up: another attempt was faster, or the time limit passed.
        case abandoned
    }

    /// The address that was tried.
    public var address: NetworkAddress
    /// The result.
    public var outcome: Outcome
    /// The duration.
    public var duration: Duration

    /// Creates an attempt.
    public init(address: NetworkAddress, outcome: Outcome, duration: Duration) {
        self.address = address
        self.outcome = outcome
        self.duration = duration
    }

    /// The error; nil if the step succeeded.
    public var error: HostError? {
        if case .failed(let error) = outcome { error } else { nil }
    }
}
