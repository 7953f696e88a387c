// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

enum HopReaction: Hashable, Sendable {
    /// It sent a datagram, or bytes over a connection that was greeted, or accepted one that was not.
    case answer(ArraySlice<UInt8>)
    /// It, or something in its place, accepted a connection that was greeted, and has sent nothing over it yet.
    case accepted
    /// It ended such a connection without having sent anything.
    case closed
    /// It refused a connection, or reported that nothing listens on a port.
    case refusal
    /// Another machine reported that a datagram did not arrive.
    case report(Sockets.ReportedError)
    /// The kernel gave up a connection, on its own account or because a router reported an error.
    case failure
}

/// Datagrams, echo requests and connections to hops, all at once on one thread.
///
/// By default datagrams are repeated until their hop is settled, because they get lost, and because routers limit the errors
/// that they report. Connections may be repeated a few times, because the kernel repeats their first packet only after a second.
struct HopSockets<Key: Hashable> {
    private struct Entry {
        let hop: Key
        let address: NetworkAddress
        let socket: any NetworkSocket
        /// Nil for a connection.
        let datagram: [UInt8]?
        /// What is sent over a connection once it is accepted, to which every server sends something.
        var greeting: [UInt8]?
        var isGreeted = false
        /// Starts the same connection again; nil if it is not repeated.
        var again: (() throws -> any NetworkSocket)?

        /// Whether the next reaction is something to read.
        var isReadable: Bool { datagram != nil || isGreeted }
    }

    /// The number of rounds in which connections are repeated.
    private static var connectionRounds: Int { 4 }

    private var entries: [Entry] = []
    private var rounds = 0
    private let interval: Duration?
    private let sockets: any NetworkSockets
    private var nextRound: ContinuousClock.Instant?
    /// Whether something was found after the time had come.
    private var wasLate = false

    /// Creates a set without sockets.
    ///
    /// - Parameters:
    ///   - sockets: waits for the sockets.
    ///   - interval: the time between two datagrams to the same hop; nil repeats none.
    init(_ sockets: any NetworkSockets, repeatingEvery interval: Duration? = .milliseconds(250)) {
        self.interval = interval
        self.sockets = sockets
        nextRound = interval.map { sockets.time.now + $0 }
    }

    /// Sends a datagram.
    ///
    /// - Parameter open: opens the socket.
    /// - Throws: the error of this machine, because of which nothing was sent; ``Rejection`` if it is that of a firewall.
    mutating func send(
        _ datagram: [UInt8], to address: NetworkAddress, port: UInt16 = 0, of hop: Key,
        over open: () throws -> any NetworkSocket
    ) throws {
        let socket = try open()
        try socket.set(.queuesErrors(address.version))
        // A connected socket receives this host's datagrams only.
        try socket.startConnecting(to: address, port: port)
        do throws(SystemError) {
            _ = try socket.send(datagram[...])
        } catch {
            // Only this machine fails the first datagram of a socket; over IPv6 a prohibit route of a router has the same number.
            if error.number == EPERM || error.number == EACCES && address.version == .ipv4 { throw Rejection() }
            throw error
        }
        entries.append(Entry(hop: hop, address: address, socket: socket, datagram: datagram))
    }

    /// This machine's firewall, or a rule of its routing, rejects a datagram.
    struct Rejection: Error {}

    /// Starts a connection.
    ///
    /// - Parameters:
    ///   - greeting: what is sent over it once it is accepted; nil sends nothing, and awaits nothing more.
    ///   - isRepeated: whether further connections follow while this one is not answered.
    ///   - open: opens the socket.
    /// - Throws: the error of this machine, because of which nothing was sent.
    mutating func connect(
        to address: NetworkAddress, port: UInt16, of hop: Key, greeting: [UInt8]? = nil,
        repeated isRepeated: Bool = false, over open: @escaping () throws -> any NetworkSocket
    ) throws {
        let start: () throws -> any NetworkSocket = {
            let socket = try open()
            try socket.startConnecting(to: address, port: port)
            return socket
        }
        entries.append(
            Entry(
                hop: hop, address: address, socket: try start(), datagram: nil, greeting: greeting,
                again: isRepeated ? start : nil))
    }

    /// Closes the sockets of some hops.
    mutating func settle(_ isSettled: (Key) -> Bool) { entries.removeAll { isSettled($0.hop) } }

    /// Waits for the next reactions.
    ///
    /// - Returns: the reactions that were found at once, so that their order means nothing; nil when the time has come, the
    ///   work must end, or every hop is settled.
    mutating func reactions(until end: ContinuousClock.Instant) -> [(hop: Key, reaction: HopReaction)]? {
        while !entries.isEmpty {
            let now = sockets.time.now
            // What has arrived already counts, even if the thread runs late, but no endless stream of answers.
            let isLate = now >= end
            if isLate, wasLate {
                wasLate = false
                return nil
            }
            if !isLate, let interval, let round = nextRound, now >= round {
                nextRound = now + interval
                rounds += 1
                for entry in entries {
                    // The error of an earlier datagram is read from the queue.
                    if let datagram = entry.datagram { _ = try? entry.socket.send(datagram[...]) }
                    if rounds <= Self.connectionRounds, let socket = try? entry.again?() {
                        entries.append(
                            Entry(
                                hop: entry.hop, address: entry.address, socket: socket, datagram: nil,
                                greeting: entry.greeting))
                    }
                }
            }
            let wait = sockets.wait(
                readable: entries.filter(\.isReadable).map(\.socket),
                writable: entries.filter { !$0.isReadable }.map(\.socket),
                until: isLate ? end : min(end, nextRound ?? end))
            switch wait.outcome {
            case .interrupted: return nil
            case .timedOut: if isLate { return nil }
            case .ready, .late:
                var found: [(Key, HopReaction)] = []
                for place in entries.indices.reversed() where wait.ready.contains(entries[place].socket.number) {
                    let entry = entries[place]
                    if entry.datagram != nil {
                        found += Self.reactions(to: entry).map { (entry.hop, $0) }
                    } else if let reaction = Self.reaction(to: entry) {
                        found.append((entry.hop, reaction))
                        entries[place].isGreeted = true
                        // Any other reaction is its last one.
                        if reaction != .accepted { entries.remove(at: place) }
                    }
                }
                wasLate = isLate
                if !found.isEmpty { return found }
            }
        }
        return nil
    }

    /// The reaction to a connection, which is greeted as soon as it is accepted; nil before that.
    private static func reaction(to entry: Entry) -> HopReaction? {
        if entry.isGreeted { return answer(over: entry.socket) }
        return switch (entry.socket.pendingFailure?.number, entry.greeting) {
        case (nil, nil): .answer([])
        case (nil, let greeting?): (try? entry.socket.send(greeting[...])) == nil ? .closed : .accepted
        case (ECONNREFUSED, _), (ECONNRESET, nil): .refusal
        // A host that accepts no connection refuses it.
        case (ECONNRESET, _): .closed
        default: .failure
        }
    }

    /// What came back over a connection that was greeted; nil if nothing has yet.
    static func answer(over connection: any NetworkSocket) -> HopReaction? {
        var buffer = [UInt8](repeating: 0, count: 64)
        do throws(SystemError) {
            return try connection.receive(into: &buffer).map { $0 == 0 ? .closed : .answer(buffer[..<$0]) }
        } catch {
            return .closed
        }
    }

    private static func reactions(to entry: Entry) -> [HopReaction] {
        var reactions: [HopReaction] = []
        let own = entry.socket.ownAddress
        while let error = entry.socket.nextReportedError() {
            // This machine's own kernel reports that the next hop does not answer, or its firewall that it rejects.
            if error.sender == own { continue }
            let isRefusal = error.sender.unscoped == entry.address.unscoped && error.isPortUnreachable
            reactions.append(isRefusal ? .refusal : .report(error))
        }
        var buffer = [UInt8](repeating: 0, count: 512)
        do throws(SystemError) {
            if let count = try entry.socket.receive(into: &buffer) { reactions.append(.answer(buffer[..<count])) }
        } catch {
            // On a platform without a queue of errors, this is the refusal.
            if error.number == ECONNREFUSED, reactions.isEmpty, own != entry.address { reactions.append(.refusal) }
        }
        return reactions
    }
}

extension Sockets.ReportedError {
    /// Whether nothing listens on the port.
    fileprivate var isPortUnreachable: Bool {
        sender.version == .ipv4 ? (type, code) == (3, 3) : (type, code) == (1, 4)
    }
}
