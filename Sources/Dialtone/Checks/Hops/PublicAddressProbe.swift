// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Contacts addresses without any name: to tell broken names from a dead uplink, and to try one family alone.
///
/// It connects over TCP and sends nothing over the connection. Beside it, it sends an empty UDP datagram to the same port,
/// because only for those does the kernel reveal which router reports an error.
struct PublicAddressProbe: Sendable {
    typealias Answer = InternetCheck.AddressAnswer
    private typealias Outcome = Answer.Outcome

    /// Encrypted DNS and web servers listen on it, and networks that force their own DNS servers let it pass.
    static let port: UInt16 = 443

    private let addresses: [NetworkAddress]
    private let port: UInt16
    private let binding: InternetCheck.Configuration.Binding

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - addresses: the addresses, usually of one family: one that accepts a connection ends the probe.
    ///   - port: by default ``port``.
    ///   - binding: the interface or address that the sockets are bound to.
    init(
        _ addresses: [NetworkAddress], port: UInt16 = Self.port,
        binding: InternetCheck.Configuration.Binding = .none
    ) {
        self.addresses = addresses
        self.port = port
        self.binding = binding
    }

    /// Contacts all addresses at once.
    ///
    /// - Parameter patience: the time limit.
    /// - Returns: the first answer that accepts a connection alone, otherwise all of them in the order of the addresses. It
    ///   returns soon after the task is cancelled.
    func run(within patience: Duration) async -> [Answer] {
        await HopThread.run { run(until: .now + patience, $0) } ?? addresses.map { Answer($0, .notSent) }
    }

    /// Contacts all addresses at once, on the calling thread and in its network namespace.
    func run(until deadline: ContinuousClock.Instant, _ interrupt: WakeEvent) -> [Answer] {
        let start = ContinuousClock.now
        var sockets = HopSockets<Hop>()
        var states = addresses.map { _ in State() }
        for (place, address) in addresses.enumerated() {
            // First, because a router may limit the errors that it reports.
            try? sockets.send([], to: address, port: port, of: Hop(place: place, isConnection: false)) {
                try open(address, .datagram)
            }
            do {
                try sockets.connect(
                    to: address, port: port, of: Hop(place: place, isConnection: true), repeated: true
                ) { try open(address, .stream) }
            } catch {
                states[place].settle(.notSent, after: .now - start)
            }
        }
        sockets.settle { states[$0.place].outcome != nil }
        while let reactions = sockets.reactions(until: deadline, interrupt) {
            for (hop, reaction) in reactions {
                states[hop.place].receive(reaction, isConnection: hop.isConnection, after: .now - start)
                let answer = answer(hop.place, since: start, states)
                if answer.outcome == .answers { return [answer] }
            }
            sockets.settle { states[$0.place].outcome != nil }
        }
        return addresses.indices.map { answer($0, since: start, states) }
    }

    private func answer(_ place: Int, since start: ContinuousClock.Instant, _ states: [State]) -> Answer {
        let state = states[place]
        return Answer(
            addresses[place], state.outcome ?? state.unfinished, report: state.report,
            after: state.duration ?? .now - start)
    }

    /// A socket's address, and whether it is the connection or the datagram beside it.
    private struct Hop: Hashable {
        let place: Int
        let isConnection: Bool
    }

    /// What is known of one address.
    private struct State {
        private(set) var outcome: Outcome?
        private(set) var duration: Duration?
        private(set) var report: RouterReport?
        private var hasFailed = false
        private var isRefused = false

        /// The outcome at the time limit.
        var unfinished: Outcome { report != nil ? .unreachable : isRefused ? .refuses : .silent }

        mutating func receive(_ reaction: HopSockets<Hop>.Reaction, isConnection: Bool, after time: Duration) {
            switch reaction {
            case .answer: settle(.answers, after: time)
            case .refusal where isConnection: settle(.refuses, after: time)
            // Only the datagram is refused so far.
            case .refusal: isRefused = true
            case .report(let error): report = RouterReport(error) ?? report
            case .failure: hasFailed = true
            }
            // A router that rejects the datagram may let the connection pass.
            if hasFailed, report != nil { settle(.unreachable, after: time) }
        }

        mutating func settle(_ outcome: Outcome, after time: Duration) {
            guard self.outcome == nil else { return }
            (self.outcome, duration) = (outcome, time)
        }
    }

    private func open(_ address: NetworkAddress, _ kind: Sockets.Kind) throws -> Descriptor {
        #if canImport(Darwin)
        try Sockets.openSocket(address.version, kind)
        #else
        try ProbeSocket(binding: binding).open(for: address, kind)
        #endif
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
