// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// Checks whether this machine's routers are present.
///
/// Only an answer that is younger than the question counts. The kernel's neighbor table remembers a router for up to 45
/// seconds after its last answer, so that it is evidence only against a router.
struct RouterProbe: Sendable {
    typealias Answer = InternetCheck.RouterAnswer

    /// A socket's hop: the router, or what lies beyond it.
    struct Socket: Hashable, Sendable {
        let router: Int
        let isBeyond: Bool
    }

    /// DNS and a web page, which many routers serve; a refusal is an answer, too.
    private static let ports: (names: UInt16, page: UInt16) = (53, 80)
    /// The first port of traceroute(8), which firewalls know.
    private static let tracePort: UInt16 = 33434

    let routers: [NetworkPath.Gateway]
    /// Public addresses.
    ///
    /// Datagrams to the first of each family expire at the router, which reports that even if it drops everything that is
    /// addressed to itself. Without any, that is not tried.
    var destinations = [NetworkAddress].publicResolvers
    /// The interface or address that the sockets are bound to.
    ///
    /// Without one, each is bound to the link of its router if the kernel permits it.
    var binding = InternetCheck.Configuration.Binding.none
    var runner: any SocketRunner = KernelSocketRunner()

    /// Asks all routers at once.
    ///
    /// - Parameter patience: the time limit.
    /// - Returns: the answers in the order of the routers, without those that could not be asked over the interface that the probe is
    ///   bound to. It returns soon after the task is cancelled.
    func run(within patience: Duration = .seconds(1)) async -> [Answer] {
        guard !routers.isEmpty else { return [] }
        let deadline = runner.time.now + patience
        let unknown = binding == .none ? routers.map { Answer($0, .unclear) } : []
        return await runner.run("dialtone.hops") { run(until: deadline, $0) } ?? unknown
    }

    /// Asks all routers at once, on the calling thread and in its network namespace.
    func run(until deadline: ContinuousClock.Instant, _ network: any NetworkSockets) -> [Answer] {
        let start = network.time.now
        var sockets = HopSockets<Socket>(network)
        let sent = routers.indices.map { ask($0, &sockets, network) }
        var machine = Machine(routers, towards: destinations, within: deadline - start)
        while let reactions = sockets.reactions(until: start + machine.end) {
            let now = network.time.now - start
            for (hop, reaction) in reactions { machine.handle(reaction, from: hop, at: now) }
            sockets.settle { machine.isSettled($0.router) }
        }
        var answers = machine.answers(at: network.time.now - start) { router in
            router.interface.map { network.isAbsent(router.address, on: $0) } ?? false
        }
        for place in answers.indices { answers[place].isRejectedBeyond = sent[place].isRejectedBeyond }
        return binding == .none ? answers : answers.indices.filter { sent[$0].isAsked }.map { answers[$0] }
    }

    /// Asks a router, and returns whether a packet to it was sent, and whether this machine rejects datagrams to what lies beyond it.
    private func ask(
        _ place: Int, _ sockets: inout HopSockets<Socket>, _ network: any NetworkSockets
    ) -> (isAsked: Bool, isRejectedBeyond: Bool) {
        var isAsked = false
        var isRejected = false
        let address = routers[place].address
        let interface = routers[place].interface
        let version = address.version
        let hop = Socket(router: place, isBeyond: false)
        func open(_ kind: SocketKind) throws -> any NetworkSocket {
            let socket = try network.open(version, kind)
            if binding != .none {
                try ProbeSocket(network, binding).bind(socket, for: address)
            } else if let interface {
                // If the kernel permits it: another route must not lead around the router.
                try? socket.set(.interface(interface))
            }
            return socket
        }
        if let destination = destinations.first(where: { $0.version == version }) {
            do {
                try sockets.send([], to: destination, port: Self.tracePort, of: Socket(router: place, isBeyond: true)) {
                    let socket = try open(.datagram)
                    try socket.set(.hopLimit(version, 1))
                    return socket
                }
            } catch {
                isRejected = error is HopSockets<Socket>.Rejection
            }
        }
        if let query = NameQuery.local {
            do {
                try sockets.send(query.message, to: address, port: Self.ports.names, of: hop) { try open(.datagram) }
                isAsked = true
            } catch {
                // A packet that this machine cannot send proves nothing.
            }
        }
        // An echo request (RFC 792, RFC 4443); the kernel fills in the checksum and the identifier.
        try? sockets.send([version == .ipv4 ? 8 : 128, 0, 0, 0, 0, 0, 0, 1], to: address, of: hop) {
            try open(.echo)
        }
        try? sockets.connect(to: address, port: Self.ports.page, of: hop) { try open(.stream) }
        return (isAsked, isRejected)
    }
}

extension RouterProbe {
    /// What the reactions show about the routers, and how long more are awaited: a value on the caller's clock, which starts at
    /// zero.
    struct Machine: Sendable {
        /// After an answer, the time for a report why the router does not forward.
        private static let reportPatience = Duration.milliseconds(250)

        private let routers: [NetworkPath.Gateway]
        private let destinations: [NetworkAddress]
        private let limit: Duration
        private var answers: [Int: (time: Duration, report: RouterReport?)] = [:]
        private var settled: Set<Int> = []

        init(_ routers: [NetworkPath.Gateway], towards destinations: [NetworkAddress], within limit: Duration) {
            self.routers = routers
            self.destinations = destinations
            self.limit = limit
        }

        /// When the probe ends unless something happens before.
        var end: Duration {
            let waits = routers.indices.filter { !settled.contains($0) }.map { place in
                answers[place].map { min(limit, $0.time + Self.reportPatience) } ?? limit
            }
            return waits.max() ?? .zero
        }

        /// Whether nothing more is awaited of a router.
        func isSettled(_ place: Int) -> Bool { settled.contains(place) }

        mutating func handle(_ reaction: HopReaction, from hop: Socket, at now: Duration) {
            var report: RouterReport?
            switch reaction {
            // The kernel does not say whether a router reported it.
            case .failure: return
            case .report(let error) where hop.isBeyond:
                guard isOnly(hop.router) || routers[hop.router].address == error.sender else { return }
                report = RouterReport(error)
            case .answer, .accepted, .closed, .refusal, .report: break
            }
            let earlier = answers[hop.router]
            answers[hop.router] = (earlier?.time ?? now, report ?? earlier?.report)
            let version = routers[hop.router].address.version
            if hop.isBeyond || !destinations.contains(where: { $0.version == version }) { settled.insert(hop.router) }
        }

        /// The answers in the order of the routers.
        ///
        /// - Parameter isAbsent: whether the kernel's queries for the link-layer address of a router are not answered.
        func answers(at now: Duration, isAbsent: (NetworkPath.Gateway) -> Bool) -> [Answer] {
            routers.enumerated().map { place, router in
                guard let known = answers[place] else {
                    return Answer(router, isAbsent(router) ? .silent : .unclear, after: now)
                }
                var answer = Answer(router, .answers, after: known.time)
                answer.report = known.report
                return answer
            }
        }

        /// Whether a router is the only one of its family on its link, so that packets to the Internet pass through it.
        private func isOnly(_ place: Int) -> Bool {
            let router = routers[place]
            return routers.count {
                $0.interface == router.interface && $0.address.version == router.address.version
            } == 1
        }
    }
}
