// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Contacts addresses without any name: to tell broken names from a dead uplink, and to try one family alone.
///
/// It connects over TCP and sends a greeting, to which every server sends something: what only accepts connections is a box in the
/// place of the address. Beside it, it sends an empty UDP datagram to the same port, because only for those does the kernel reveal
/// the router that reports an error.
struct PublicAddressProbe: Sendable {
    typealias Answer = InternetCheck.AddressAnswer

    /// Encrypted DNS and web servers listen on it, and networks that force their own DNS servers let it pass.
    static let port: UInt16 = 443

    /// The time limit if this machine rejects all datagrams: connections are then silent, too, or answered soon.
    private static let rejectedPatience = Duration.milliseconds(750)

    /// The addresses, usually of one family: one that answers the greeting ends the probe.
    let addresses: [NetworkAddress]
    var port = Self.port
    /// Whether the greeting is one of TLS rather than HTTP.
    var isSecure = true
    /// The interface or address that the sockets are bound to.
    var binding = InternetCheck.Configuration.Binding.none
    var runner: any SocketRunner = KernelSocketRunner()

    /// Contacts all addresses at once.
    ///
    /// - Parameter patience: the time limit.
    /// - Returns: the first address that answers alone, otherwise all of them in their order. It returns soon after the task is
    ///   cancelled.
    func run(within patience: Duration) async -> [Answer] {
        let deadline = runner.time.now + patience
        return await runner.run("dialtone.hops") { run(until: deadline, $0) } ?? addresses.map { Answer($0, .notSent) }
    }

    /// Contacts all addresses at once, on the calling thread and in its network namespace.
    func run(until deadline: ContinuousClock.Instant, _ network: any NetworkSockets) -> [Answer] {
        let start = network.time.now
        var sockets = HopSockets<Socket>(network)
        var machine = Machine(addresses)
        let greeting = isSecure ? TLSGreeting.bytes : Array("HEAD / HTTP/1.0\r\n\r\n".utf8)
        for (place, address) in addresses.enumerated() {
            // First, because a router may limit the errors that it reports.
            do {
                try sockets.send([], to: address, port: port, of: Socket(place: place, isConnection: false)) {
                    try ProbeSocket(network, binding).open(for: address, .datagram)
                }
            } catch is HopSockets<Socket>.Rejection {
                machine.handle(.rejected, from: place, at: network.time.now - start)
            } catch {
                // The connection shows whether there is a route.
            }
            do {
                try sockets.connect(
                    to: address, port: port, of: Socket(place: place, isConnection: true), greeting: greeting,
                    repeated: true
                ) { try ProbeSocket(network, binding).open(for: address) }
            } catch {
                machine.handle(.notSent, from: place, at: network.time.now - start)
            }
        }
        sockets.settle { machine.isSettled($0.place) }
        let deadline = machine.isRejected ? min(deadline, start + Self.rejectedPatience) : deadline
        while !machine.isAnswered,
            let reactions = sockets.reactions(until: machine.end.map { min(deadline, start + $0) } ?? deadline)
        {
            let now = network.time.now - start
            for (hop, reaction) in reactions {
                machine.handle(hop.isConnection ? .connection(reaction) : .datagram(reaction), from: hop.place, at: now)
            }
            sockets.settle { machine.isSettled($0.place) }
        }
        return machine.answers(at: network.time.now - start)
    }

    /// The time for a handshake that shows a certificate.
    static let certificatePatience = Duration.seconds(1)

    /// Whether an address shows a certificate that is not its own, in a second.
    ///
    /// The public resolvers have certificates for their addresses. A handshake that fails in another way shows nothing.
    func isForeign(_ address: NetworkAddress) async -> Bool {
        #if canImport(Darwin)
        return false
        #else
        let deadline = runner.time.now + Self.certificatePatience
        return await runner.run("dialtone.hops") { network in
            do {
                let socket = try ProbeSocket(network, binding).open(for: address)
                try socket.startConnecting(to: address, port: port)
                let wait = network.wait(readable: [], writable: [socket], until: deadline)
                guard [.ready, .late].contains(wait.outcome), socket.pendingFailure == nil else { return false }
                let stream = ByteStream(socket, network)
                defer { stream.end() }
                try stream.start(clientOf: "\(address)", until: deadline)
                return false
            } catch ByteStream.Failure.tls(let failure) {
                return [.untrustedCertificate, .wrongCertificateName].contains(ProbeError.tls(failure).code)
            } catch {
                return false
            }
        } ?? false
        #endif
    }

    /// A socket's address, and whether it is the connection or the datagram beside it.
    private struct Socket: Hashable {
        let place: Int
        let isConnection: Bool
    }
}

extension PublicAddressProbe {
    /// What the addresses' reactions show: a value on the caller's clock, which starts at zero.
    ///
    /// The order of events with the same time means nothing, because a thread that runs late reads them at once.
    struct Machine: Sendable {
        /// An event of the sockets of one address.
        enum Event: Hashable, Sendable {
            /// This machine could not start a connection.
            case notSent
            /// This machine rejected the datagram.
            case rejected
            case connection(HopReaction)
            /// A reaction to the datagram beside the connection.
            case datagram(HopReaction)
        }

        /// The least time for an answer to a greeting.
        private static let leastPatience = Duration.milliseconds(300)

        private struct State {
            var isAnswered = false
            /// When it first accepted a connection.
            var acceptance: Duration?
            /// Whether such a connection ended without an answer.
            var isClosed = false
            var isRefused = false
            var isDatagramRefused = false
            var isNotSent = false
            var isRejected = false
            var hasFailed = false
            var report: RouterReport?
            /// The time until the outcome was known.
            var duration: Duration?

            /// The outcome before the time limit; nil if it is not known yet.
            var outcome: Answer.Outcome? {
                if isAnswered { return .answers }
                if isClosed { return .accepts }
                if isRefused { return .refuses }
                if isNotSent { return .notSent }
                // A router that rejects the datagram may let the connection pass.
                return hasFailed && report != nil ? .unreachable : nil
            }

            /// The outcome at the time limit.
            var unfinished: Answer.Outcome {
                if acceptance != nil { return .accepts }
                return report != nil ? .unreachable : isDatagramRefused ? .refuses : .silent
            }
        }

        private let addresses: [NetworkAddress]
        private var states: [State]

        init(_ addresses: [NetworkAddress]) {
            self.addresses = addresses
            states = addresses.map { _ in State() }
        }

        /// Whether an address has answered, which ends the probe.
        var isAnswered: Bool { states.contains(where: \.isAnswered) }

        /// When answers to greetings should have come; nil if no address has accepted a connection.
        ///
        /// What accepts connections in the place of one address does so for all of them, so that the others are not awaited.
        var end: Duration? { states.compactMap(\.acceptance).min().map { $0 + max(Self.leastPatience, $0 * 2) } }

        /// Whether this machine rejects the datagrams to all addresses that it has a route to.
        var isRejected: Bool {
            let sent = states.filter { !$0.isNotSent }
            return !sent.isEmpty && sent.allSatisfy(\.isRejected)
        }

        /// Whether the outcome of an address is known.
        func isSettled(_ place: Int) -> Bool { states[place].outcome != nil }

        mutating func handle(_ event: Event, from place: Int, at now: Duration) {
            switch event {
            case .notSent: states[place].isNotSent = true
            case .rejected: states[place].isRejected = true
            case .connection(.accepted), .datagram(.accepted):
                states[place].acceptance = states[place].acceptance ?? now
            case .connection(.closed), .datagram(.closed): states[place].isClosed = true
            case .connection(.answer), .datagram(.answer): states[place].isAnswered = true
            case .connection(.refusal): states[place].isRefused = true
            case .datagram(.refusal): states[place].isDatagramRefused = true
            case .connection(.failure), .datagram(.failure): states[place].hasFailed = true
            case .connection(.report(let error)), .datagram(.report(let error)):
                states[place].report = RouterReport(error) ?? states[place].report
            }
            // The time until it was accepted is that of a round trip.
            if isSettled(place) { states[place].duration = states[place].duration ?? states[place].acceptance ?? now }
        }

        /// The answer of the first address that answers; without one, all answers in the order of the addresses.
        func answers(at now: Duration) -> [Answer] {
            let answers = zip(addresses, states).map { address, state in
                var answer = Answer(
                    address, state.outcome ?? state.unfinished, after: state.duration ?? state.acceptance ?? now)
                answer.report = state.report
                answer.isRejected = state.isRejected
                return answer
            }
            let first = answers.filter { $0.outcome == .answers }.min { $0.duration < $1.duration }
            return first.map { [$0] } ?? answers
        }
    }
}

extension [NetworkAddress] {
    /// The addresses of three operators' public DNS resolvers, in both families, which accept connections to port 443.
    ///
    /// | Operator | Addresses |
    /// | --- | --- |
    /// | Cloudflare | 1.1.1.1, 2606:4700:4700::1111 |
    /// | Google | 8.8.8.8, 2001:4860:4860::8888 |
    /// | Quad9 | 9.9.9.9, 2620:fe::fe |
    public static var publicResolvers: Self {
        [
            NetworkAddress(1, 1, 1, 1), NetworkAddress(8, 8, 8, 8), NetworkAddress(9, 9, 9, 9),
        ] + ["2606:4700:4700::1111", "2001:4860:4860::8888", "2620:fe::fe"].compactMap { NetworkAddress($0) }
    }
}
