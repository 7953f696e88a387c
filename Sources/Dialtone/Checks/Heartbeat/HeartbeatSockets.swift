// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// The sockets of the questions under way: one packet each, which is not repeated.
struct HeartbeatSockets {
    /// A question that has an answer.
    struct Result: Hashable, Sendable {
        let number: Int
        /// False if a router reported that the packet did not arrive, or the answer shows that the hop does not work.
        let isAnswered: Bool
    }

    private typealias Asked = (question: HeartbeatQuestion, query: NameQuery?)

    private let network: any NetworkSockets
    private var sockets: HopSockets<Int>
    private var asked: [Int: Asked] = [:]

    /// Creates a set without questions.
    ///
    /// - Parameter network: opens the sockets, and waits for them.
    init(_ network: any NetworkSockets) {
        self.network = network
        sockets = HopSockets(network, repeatingEvery: nil)
    }

    /// The port of name servers, the one of traceroute(8), which firewalls know, and the one of HTTPS.
    private static let ports: (names: UInt16, trace: UInt16, secure: UInt16) = (53, 33434, 443)

    /// Sends a question.
    ///
    /// - Parameters:
    ///   - number: identifies the question.
    ///   - binding: the interface or address that sockets to public addresses are bound to.
    /// - Returns: false if this machine cannot send it, which says nothing about the hop.
    mutating func send(
        _ question: HeartbeatQuestion, number: Int, binding: InternetCheck.Configuration.Binding
    ) -> Bool {
        let address = question.address
        let version = question.address.version
        let network = network
        func open(_ kind: SocketKind) throws -> any NetworkSocket {
            let socket = try network.open(version, kind)
            switch question.hop {
            // Another route must not lead around the router; not every kernel permits it.
            case .router: if let name = question.interface { try? socket.set(.interface(name)) }
            case .beyond: try ProbeSocket(network, binding).bind(socket, for: address)
            // Names are resolved by the system's rules.
            case .nameServers: break
            }
            return socket
        }
        do {
            switch question.means {
            case .echo:
                try sockets.send([version == .ipv4 ? 8 : 128, 0, 0, 0, 0, 0, 0, 1], to: address, of: number) {
                    try open(.echo)
                }
            case .query:
                guard let query = question.query else { return false }
                try sockets.send(query.message, to: address, port: Self.ports.names, of: number) {
                    try open(.datagram)
                }
                asked[number] = (question, query)
            case .datagram:
                try sockets.send([], to: address, port: Self.ports.trace, of: number) { try open(.datagram) }
            case .expiringDatagram:
                try sockets.send([], to: address, port: Self.ports.trace, of: number) {
                    let socket = try open(.datagram)
                    try socket.set(.hopLimit(version, 1))
                    return socket
                }
            case .connection:
                try sockets.connect(to: address, port: Self.ports.secure, of: number) {
                    let socket = try open(.stream)
                    try socket.set(.resetsOnClose)
                    return socket
                }
            }
        } catch {
            return false
        }
        asked[number] = asked[number] ?? (question, nil)
        return true
    }

    /// Closes the sockets of a question.
    mutating func close(_ number: Int) {
        asked[number] = nil
        sockets.settle { $0 == number }
    }

    /// Waits for the next results.
    ///
    /// - Returns: an empty list when the time has come, the work must end, or something arrived that is no answer.
    mutating func results(until end: ContinuousClock.Instant?) -> [Result] {
        let end = end ?? network.time.now + .seconds(86_400)
        guard !asked.isEmpty else {
            _ = network.wait(until: end)
            return []
        }
        let results = (sockets.reactions(until: end) ?? []).compactMap { number, reaction in
            asked[number].flatMap { Self.isAnswer(reaction, to: $0) }.map { Result(number: number, isAnswered: $0) }
        }
        for result in results { close(result.number) }
        return results
    }

    /// Whether a reaction shows that the hop works, or that it does not; nil if it shows neither.
    private static func isAnswer(_ reaction: HopReaction, to asked: Asked) -> Bool? {
        let question = asked.question
        switch reaction {
        case .answer(let bytes):
            guard let query = asked.query else { return true }
            switch question.hop {
            case .router: return query.responseCode(in: bytes).map { _ in true }
            case .nameServers: return query.responseCode(in: bytes).map { [0, 3].contains($0) }
            // A forwarder without an uplink reports an error, and one that forges answers has an address for each name.
            case .beyond: return query.responseCode(in: bytes).map { _ in query.isNegativeReply(bytes) }
            }
        // A firewall resets connections in the name of the host, and a forwarder that is off refuses queries in its name.
        case .refusal: return question.means == .datagram || question.hop == .router
        case .report(let error):
            // A router without an uplink reports that instead of the end of the datagram.
            return question.means == .expiringDatagram && (error.isTimeExceeded || error.sender == question.router)
        case .failure, .accepted, .closed: return false
        }
    }
}

extension Sockets.ReportedError {
    /// Whether a router discarded the packet because it had passed as many routers as it may (RFC 792, RFC 4443).
    fileprivate var isTimeExceeded: Bool { type == (sender.version == .ipv4 ? 11 : 3) }
}
