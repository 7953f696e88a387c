//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The reachability of a host at one moment, step by step.
public struct HostReport: Hashable, Sendable {
    /// The answer to the whole question.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// It can be reached: proven by a connection if one was asked for, else as far as this machine's routing tells.
        case reachable
        /// It cannot.
        case unreachable
        /// It cannot be known.
        case unknown
    }

    /// The target of the check.
    public var target: HostTarget
    /// Whether and how packets would leave this machine for it.
    ///
    /// For a name that was not resolved this is the way to the Internet.
    public var route: HostStep<HostRoute>
    /// The addresses of a name, the most preferred of a family first; nil for an address, and where no connection was
    /// asked for, because that would take packets.
    public var resolution: HostStep<[NetworkAddress]>?
    /// The address that a connection was made to; nil when none was asked for or the name has no address.
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

    /// The answer to the whole question.
    ///
    /// Proof goes before routing: a host that was connected to is reachable, whatever the routes seem to say.
    public var verdict: Verdict {
        if let connection { return Self.verdict(connection.error) }
        if let error = resolution?.error { return Self.verdict(error) }
        return Self.verdict(route.error)
    }

    /// The nearest cause: the first step that failed, as its error; nil for a host that can be reached.
    public var error: HostError? {
        guard verdict != .reachable else { return nil }
        let farther = connection?.error ?? resolution?.error
        guard let farther, let near = route.error, near.code == .noRoute else { return farther ?? route.error }
        // The missing route explains these failures; a refusal or a missing name is another cause.
        switch farther.code {
        case .timedOut, .resolverSilent, .resolverUnreachable, .resolverFailed: return near
        case .unreachable: return HostError(.unreachable, errorNumber: farther.errorNumber, diagnosis: near.diagnosis)
        default: return farther
        }
    }

    /// The names of what differs from another report, but for times, in the order and spelling of the JSON object.
    public func changes(since old: HostReport) -> [String] {
        let differs: [(name: String, isDifferent: Bool)] = [
            ("reachable", verdict != old.verdict),
            ("route", route.result != old.route.result),
            ("resolved", resolution.map { Self.sorted($0.result) } != old.resolution.map { Self.sorted($0.result) }),
            ("connected", connection?.result != old.connection?.result),
        ]
        return differs.filter(\.isDifferent).map(\.name)
    }

    /// Name servers give the same addresses in any order.
    private static func sorted(_ result: Result<[NetworkAddress], HostError>) -> Result<Set<NetworkAddress>, HostError>
    {
        result.map { Set($0) }
    }

    private static func verdict(_ error: HostError?) -> Verdict {
        switch error?.code {
        case nil: .reachable
        // What this machine lacks (descriptors, memory, a view of the network) says nothing about the host.
        case .unknown?, .system?: .unknown
        default: .unreachable
        }
    }
}

/// One step: how it ended, and how long it took.
public struct HostStep<Value: Hashable & Sendable>: Hashable, Sendable {
    /// How it ended.
    public var result: Result<Value, HostError>
    /// The time that it took.
    public var duration: Duration

    /// Creates a step.
    public init(_ result: Result<Value, HostError>, _ duration: Duration) {
        self.result = result
        self.duration = duration
    }

    /// The result; nil when the step failed.
    public var value: Value? { try? result.get() }

    /// Why it failed; nil when it did not.
    public var error: HostError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

/// One attempt to connect.
public struct HostAttempt: Hashable, Sendable {
    /// How an attempt ends.
    public enum Outcome: Hashable, Sendable {
        /// With a connection, which was closed again.
        case connected
        /// With an error.
        case failed(HostError)
        /// Not by itself: another was faster, or the time was over.
        case abandoned
    }

    /// The address.
    public var address: NetworkAddress
    /// How it ended.
    public var outcome: Outcome
    /// The time that it took.
    public var duration: Duration

    /// Creates an attempt.
    public init(address: NetworkAddress, outcome: Outcome, duration: Duration) {
        self.address = address
        self.outcome = outcome
        self.duration = duration
    }

    /// Why it failed; nil when it did not.
    public var error: HostError? {
        if case .failed(let error) = outcome { error } else { nil }
    }
}
