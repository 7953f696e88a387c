// SPDX-License-Identifier: Apache-2.0

import SystemSupport

extension InternetCheck {
    /// How the hops between this machine and the Internet responded, which a check asks if it does not simply pass.
    public struct Hops: Hashable, Sendable {
        /// The routers of the path.
        public var routers: [RouterAnswer]
        /// The name servers, in the order in which they are queried.
        public var nameServers: [NameServerAnswer]
        /// The public addresses: the first that answered, or all if none did; empty if none was asked.
        public var publicAddresses: [AddressAnswer]
        /// Whether large packets arrive; nil if that was not tried.
        var largePackets: LargePacketProbe.Outcome?
        /// The IP version by which that was tried.
        var largePacketsVersion: IPVersion?
        /// The IP version for whose addresses the name servers do not answer queries, while they answer others; nil if they treat both alike.
        var unansweredQueries: IPVersion?
        /// The measured loss of packets; nil if it was not measured.
        var loss: PacketLoss?
        /// The loss if all packets without an answer in time were lost; nil if the loss is measured, or nothing is known.
        var lossAtMost: PacketLoss?
        /// The IP version by which alone packets may be lost, and by which the loss was measured; nil if that is not known.
        var lossVersion: IPVersion?
        /// The tunnel that all packets to the Internet enter; nil if some do not, or if that is not known.
        var tunnel: String?
        /// The tunnel that leads to the proxy; nil if none does, or if that was not looked up.
        var proxyTunnel: String?

        /// Creates a value, also for tests.
        public init(
            routers: [RouterAnswer] = [], nameServers: [NameServerAnswer] = [], publicAddresses: [AddressAnswer] = []
        ) {
            self.routers = routers
            self.nameServers = nameServers
            self.publicAddresses = publicAddresses
        }
    }

    /// How one of this machine's routers responded.
    public struct RouterAnswer: Hashable, Sendable {
        /// How a router reacted.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It sent a packet since it was asked.
            case answers
            /// It did not, and the kernel's queries for its link-layer address are not answered either.
            case silent
            /// It did not, and nothing else is known: it may be gone, or drop what is addressed to it.
            case unclear
        }

        /// The router.
        public var router: NetworkPath.Gateway
        /// How it reacted.
        public var outcome: Outcome
        /// Why it does not forward packets, if it says so.
        var report: RouterReport?
        /// Whether this machine rejects datagrams to what lies beyond it.
        var isRejectedBeyond = false
        /// The link by which packets to it leave this machine.
        var egress = Egress.path
        /// The time until the outcome.
        public var duration: Duration

        /// The link by which packets to a router leave this machine.
        enum Egress: String, Hashable, Sendable {
            /// On a link of the path, which is no tunnel.
            case path
            /// Through a tunnel: the router is its other end, or behind that.
            case tunnel
            /// On the link that carries a tunnel. Only its own address was asked.
            case carrier
        }

        /// Creates an answer, also for tests.
        public init(_ router: NetworkPath.Gateway, _ outcome: Outcome, after duration: Duration = .zero) {
            self.router = router
            self.outcome = outcome
            self.duration = duration
        }
    }

    /// How a public address responded to a connection.
    public struct AddressAnswer: Hashable, Sendable {
        /// How an address reacted.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// It accepted the connection.
            case answers
            /// Something else accepts the connections to it: nothing comes back over them, or a foreign certificate.
            case accepts
            /// The connection was refused, by the host or by a firewall in front of it.
            case refuses
            /// A router reported that it does not forward packets to it.
            case unreachable
            /// It did not answer, or the next hop of this machine does not.
            case silent
            /// Nothing was sent, because this machine has no route to it. That says nothing about the network.
            case notSent
        }

        /// The address.
        public var address: NetworkAddress
        /// How it reacted.
        public var outcome: Outcome
        var report: RouterReport?
        /// Whether this machine rejects datagrams to it.
        var isRejected = false
        /// The time until the outcome.
        public var duration: Duration

        /// Creates an answer, also for tests.
        public init(_ address: NetworkAddress, _ outcome: Outcome, after duration: Duration = .zero) {
            self.address = address
            self.outcome = outcome
            self.duration = duration
        }
    }
}

extension InternetCheck.Hops {
    /// Whether a public address has accepted a connection.
    package var isUplinkWorking: Bool { publicAddresses.contains { $0.outcome == .answers } }
}

extension InternetCheck.RouterAnswer.Outcome {
    /// The router's behavior, to follow its address in a sentence.
    package var words: String {
        switch self {
        case .answers: "answers"
        case .silent: "does not answer"
        case .unclear: "does not answer, but may be present"
        }
    }
}

extension InternetCheck.NameServerAnswer.Outcome {
    /// The name server's behavior, to follow its address in a sentence.
    package var words: String {
        switch self {
        case .answers: "answers"
        case .fails: "answers with an error"
        case .refuses: "does not run DNS (port 53 refused)"
        case .unreachable: "cannot be reached"
        case .silent: "does not answer"
        }
    }
}

extension InternetCheck.AddressAnswer.Outcome {
    /// The behavior of the address, to follow it in a sentence.
    package var words: String {
        switch self {
        case .answers: "answers"
        case .accepts: "accepts connections, but sends no answer of its own"
        case .refuses: "refuses connections"
        case .unreachable: "cannot be reached"
        case .silent: "does not answer"
        case .notSent: "has no route on this machine"
        }
    }
}

/// The `hops` object of the JSON that `dialtone` prints.
extension InternetCheck.Hops: Encodable {
    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(["routers": routers, "nameServers": nameServers, "publicAddresses": publicAddresses])
    }
}

extension InternetCheck.RouterAnswer: Encodable {
    /// Writes one element of `routers`.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "address": "\(router)", "outcome": outcome.rawValue, "milliseconds": duration.milliseconds,
            "report": report?.description,
        ])
    }
}

extension InternetCheck.NameServerAnswer: Encodable {
    /// Writes one element of `nameServers`.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "address": server.scopedText, "outcome": outcome.rawValue, "isNearby": isNearby,
            "milliseconds": duration.milliseconds,
        ])
    }
}

extension InternetCheck.AddressAnswer: Encodable {
    /// Writes one element of `publicAddresses`.
    public func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "address": address.description, "outcome": outcome.rawValue, "milliseconds": duration.milliseconds,
            "report": report?.description,
        ])
    }
}
