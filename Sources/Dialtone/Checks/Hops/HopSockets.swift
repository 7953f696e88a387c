// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// What came back from a hop.
enum HopReaction: Hashable, Sendable {
    /// It sent a datagram, or accepted a connection, which has no bytes yet.
    case answer(ArraySlice<UInt8>)
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
struct HopSockets<Hop: Hashable> {
    private struct Entry {
        let hop: Hop
        let address: NetworkAddress
        let socket: Descriptor
        /// Nil for a connection.
        let datagram: [UInt8]?
        /// Starts the same connection again; nil if it is not repeated.
        var again: (() throws -> Descriptor)?
    }

    /// The number of rounds in which connections are repeated.
    private static var connectionRounds: Int { 4 }

    private var entries: [Entry] = []
    private var rounds = 0
    private let interval: Duration?
    private let time: TimeSource
    private var nextRound: ContinuousClock.Instant?
    /// Whether something was found after the time had come.
    private var wasLate = false

    /// Creates a set without sockets.
    ///
    /// - Parameter interval: the time between two datagrams to the same hop; nil repeats none.
    init(repeatingEvery interval: Duration? = .milliseconds(250), time: TimeSource = .system) {
        self.interval = interval
        self.time = time
        nextRound = interval.map { time.now + $0 }
    }

    /// Sends a datagram.
    ///
    /// - Parameter open: opens the socket.
    /// - Throws: the error of this machine, because of which nothing was sent.
    mutating func send(
        _ datagram: [UInt8], to address: NetworkAddress, port: UInt16 = 0, of hop: Hop,
        over open: () throws -> Descriptor
    ) throws {
        let socket = try open()
        try Sockets.queueErrors(of: socket, address.version)
        // A connected socket receives this host's datagrams only.
        try Sockets.startConnecting(socket, to: address, port: port)
        _ = try Sockets.sendBytes(socket, datagram[...])
        entries.append(Entry(hop: hop, address: address, socket: socket, datagram: datagram))
    }

    /// Starts a connection.
    ///
    /// - Parameters:
    ///   - isRepeated: whether further connections follow while this one is not answered.
    ///   - open: opens the socket.
    /// - Throws: the error of this machine, because of which nothing was sent.
    mutating func connect(
        to address: NetworkAddress, port: UInt16, of hop: Hop, repeated isRepeated: Bool = false,
        over open: @escaping () throws -> Descriptor
    ) throws {
        let start: () throws -> Descriptor = {
            let socket = try open()
            try Sockets.startConnecting(socket, to: address, port: port)
            return socket
        }
        entries.append(
            Entry(hop: hop, address: address, socket: try start(), datagram: nil, again: isRepeated ? start : nil))
    }

    /// Closes the sockets of some hops.
    mutating func settle(_ isSettled: (Hop) -> Bool) { entries.removeAll { isSettled($0.hop) } }

    /// Waits for the next reactions.
    ///
    /// - Returns: the reactions that were found at once, so that their order means nothing; nil when the time has come, the
    ///   interrupt is raised, or every hop is settled.
    mutating func reactions(
        until end: ContinuousClock.Instant, _ interrupt: WakeEvent
    ) -> [(hop: Hop, reaction: HopReaction)]? {
        while !entries.isEmpty {
            let now = time.now
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
                    if let datagram = entry.datagram { _ = try? Sockets.sendBytes(entry.socket, datagram[...]) }
                    if rounds <= Self.connectionRounds, let socket = try? entry.again?() {
                        entries.append(Entry(hop: entry.hop, address: entry.address, socket: socket, datagram: nil))
                    }
                }
            }
            let wait = PollSet.wait(
                readable: entries.map { $0.datagram == nil ? -1 : $0.socket.number },
                writable: entries.map { $0.datagram == nil ? $0.socket.number : -1 },
                until: isLate ? end : min(end, nextRound ?? end), interrupt)
            switch wait.outcome {
            case .interrupted: return nil
            case .timedOut: if isLate { return nil }
            case .ready, .late:
                var found: [(Hop, HopReaction)] = []
                for place in entries.indices.reversed() where wait.ready.contains(entries[place].socket.number) {
                    let entry = entries[place]
                    if entry.datagram == nil {
                        // It reacts once.
                        entries.remove(at: place)
                        found.append((entry.hop, Self.reaction(to: entry.socket)))
                    } else {
                        found += Self.reactions(to: entry).map { (entry.hop, $0) }
                    }
                }
                wasLate = isLate
                if !found.isEmpty { return found }
            }
        }
        return nil
    }

    private static func reaction(to connection: Descriptor) -> HopReaction {
        switch Sockets.pendingFailure(connection)?.number {
        case nil: .answer([])
        case ECONNREFUSED, ECONNRESET: .refusal
        default: .failure
        }
    }

    private static func reactions(to entry: Entry) -> [HopReaction] {
        var reactions: [HopReaction] = []
        let own = try? Sockets.ownAddress(entry.socket)
        while let error = Sockets.nextReportedError(entry.socket) {
            // This machine's own kernel reports that the next hop does not answer, or its firewall that it rejects.
            if error.sender == own { continue }
            let isRefusal = error.sender.isSame(as: entry.address) && error.isPortUnreachable
            reactions.append(isRefusal ? .refusal : .report(error))
        }
        var buffer = [UInt8](repeating: 0, count: 512)
        do throws(SystemError) {
            if let count = try Sockets.receiveBytes(entry.socket, into: &buffer) {
                reactions.append(.answer(buffer[..<count]))
            }
        } catch {
            // Where there is no queue of errors, this is the refusal.
            if error.number == ECONNREFUSED, reactions.isEmpty, own != entry.address { reactions.append(.refusal) }
        }
        return reactions
    }
}

extension NetworkAddress {
    /// Whether two addresses are the same, with or without their scopes.
    fileprivate func isSame(as other: NetworkAddress) -> Bool { version == other.version && bits == other.bits }
}

extension Sockets.ReportedError {
    /// Whether nothing listens on the port.
    fileprivate var isPortUnreachable: Bool {
        sender.version == .ipv4 ? (type, code) == (3, 3) : (type, code) == (1, 4)
    }
}

/// Runs probes on a thread that may wait in the kernel.
enum HopThread {
    /// Runs work, which ends soon after its interrupt is raised; that happens when the task is cancelled.
    ///
    /// - Returns: nil if the process has no descriptor or thread left.
    static func run<Value: Sendable>(
        _ threads: ThreadStarter = .system, _ work: @escaping @Sendable (WakeEvent) -> Value
    ) async -> Value? {
        guard let interrupt = try? WakeEvent() else { return nil }
        return await withTaskCancellationHandler {
            try? await threads.run("dialtone.hops") { work(interrupt) }
        } onCancel: {
            interrupt.signal()
        }
    }
}
