// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Dialtone
import LibC
import SystemSupport

/// The sockets of one piece of work over a ``ScriptedNetwork``.
///
/// A wait returns at once, and moves this work's own time ahead. The caller gets the result of the work when the
/// network's clock has reached that time.
final class ScriptedSockets: NetworkSockets {
    let network: ScriptedNetwork
    private let ahead = Mutex(Duration.zero)

    init(_ network: ScriptedNetwork) { self.network = network }

    var time: TimeSource { network.time.ahead { self.elapsed } }
    /// The time that the work has taken.
    var elapsed: Duration { ahead.withLock { $0 } }
    /// Since the network was created.
    var now: Duration { network.elapsed + elapsed }

    func open(_ version: IPVersion, _ kind: SocketKind) throws(SystemError) -> any NetworkSocket {
        guard network.chain(at: now).path.supports(version) else { throw SystemError(ENETUNREACH) }
        return ScriptedSocket(kind, self)
    }

    func wait(
        readable: [any NetworkSocket], writable: [any NetworkSocket], until deadline: ContinuousClock.Instant
    ) -> (outcome: PollSet.Outcome, ready: Set<Int32>) {
        let end = now + time.now.duration(to: deadline)
        let times = (readable.map { ($0, true) } + writable.map { ($0, false) }).compactMap { socket, isReadable in
            (socket as? ScriptedSocket)?.readyTime(isReadable: isReadable).map { (time: $0, number: socket.number) }
        }
        let isLate = end <= now
        let first = times.map { max($0.time, now) }.min()
        guard let first, first <= max(end, now) else {
            advance(to: end)
            return (.timedOut, [])
        }
        advance(to: first)
        return (isLate ? .late : .ready, Set(times.filter { $0.time <= first }.map(\.number)))
    }

    func isAbsent(_ address: NetworkAddress, on interface: String) -> Bool {
        let router = network.chain(at: now).parts.first { $0.addresses.contains { $0.unscoped == address.unscoped } }
        return router.map { !$0.isPresent } ?? false
    }

    private func advance(to moment: Duration) {
        let step = max(.zero, moment - now)
        ahead.withLock { $0 += step }
    }
}

/// A socket of a ``ScriptedNetwork``.
///
/// `@unchecked Sendable`: used by one piece of work at a time.
final class ScriptedSocket: NetworkSocket, @unchecked Sendable {
    private enum Event {
        case connected(ScriptedInternet.Behavior)
        case failed(SystemError)
        case bytes(ArraySlice<UInt8>)
        case refused
        case reported(Sockets.ReportedError)
        case handshake(ScriptedHandshake)
        case end
    }

    let number: Int32
    private let kind: SocketKind
    private let sockets: ScriptedSockets
    private var destination: (address: NetworkAddress, port: UInt16)?
    private var hopLimit = 64
    private var hasSmallSegments = false
    /// Whether the server's packets of full size are lost.
    private var losesLarge = false
    /// In the order of their times.
    private var events: [(time: Duration, event: Event)] = []
    private var server: ScriptedInternet.Behavior?
    /// The times at which the first packet of a connection is sent until one is answered.
    private var attempts: [Duration] = []
    private var roundTrip: Duration?
    private var handshake: ScriptedHandshake?
    private var isSecure = false
    /// Whether the server, a proxy, was asked for a tunnel.
    private var isTunnel = false
    private var request: [UInt8] = []

    /// The kernel repeats the first packet of a connection after these times (RFC 6298).
    private static let repetitions: [Duration] = [0, 1, 3, 7, 15, 31, 63].map { .seconds($0) }

    init(_ kind: SocketKind, _ sockets: ScriptedSockets) {
        self.kind = kind
        self.sockets = sockets
        number = sockets.network.newNumber()
    }

    private var now: Duration { sockets.now }
    /// The first event, if its time has come.
    private var due: Event? { events.first.flatMap { $0.time <= now ? $0.event : nil } }

    /// When the socket is ready; nil if nothing will happen.
    fileprivate func readyTime(isReadable: Bool) -> Duration? {
        if !isReadable, kind == .stream, server != nil { return .zero }
        return events.first { entry in
            switch entry.event {
            case .connected: !isReadable
            case .failed: true
            default: isReadable
            }
        }?.time
    }

    private func schedule(_ event: Event, after delay: Duration) {
        let time = now + delay
        let place = events.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        events.insert((time, event), at: place)
    }

    // MARK: NetworkSocket

    func set(_ option: SocketOption) {
        switch option {
        case .hopLimit(_, let count): hopLimit = Int(count)
        case .segmentLimit: hasSmallSegments = true
        default: break
        }
    }

    func startConnecting(to address: NetworkAddress, port: UInt16) {
        destination = (address, port)
        guard kind == .stream else { return }
        let start = now
        for repetition in Self.repetitions {
            attempts.append(start + repetition)
            let fate = fate(.connection, at: start + repetition)
            let event: Event
            switch fate.outcome {
            case .silence, .reply: continue
            case .accepted(let behavior):
                let isClosed = (isSecurePort ? behavior.https : behavior.http) == .closed
                event = isClosed ? .failed(SystemError(ECONNREFUSED)) : .connected(behavior)
            case .refused: event = .failed(SystemError(ECONNREFUSED))
            case .noNeighbor, .report: event = .failed(SystemError(EHOSTUNREACH))
            case .notSent(let error): event = .failed(error)
            }
            roundTrip = fate.delay
            losesLarge = fate.losesLarge && !hasSmallSegments
            return schedule(event, after: repetition + fate.delay)
        }
        schedule(.failed(SystemError(ETIMEDOUT)), after: .seconds(127))
    }

    func send(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int? {
        if kind == .stream {
            if let server { receive(bytes, server) }
            return bytes.count
        }
        let fate = fate(kind == .echo ? .echo : .datagram(bytes), at: now)
        switch fate.outcome {
        case .silence, .accepted: break
        case .notSent(let error): throw error
        case .noNeighbor: schedule(.failed(SystemError(EHOSTUNREACH)), after: fate.delay)
        case .refused: schedule(.refused, after: fate.delay)
        case .reply(let bytes, _): schedule(.bytes(bytes[...]), after: fate.delay)
        case .report(let error): schedule(.reported(error), after: fate.delay)
        }
        return bytes.count
    }

    func receive(into buffer: inout [UInt8]) throws(SystemError) -> Int? {
        guard let due else { return nil }
        switch due {
        case .bytes(let bytes):
            let count = min(bytes.count, buffer.count)
            buffer.replaceSubrange(..<count, with: bytes.prefix(count))
            if kind == .stream, count < bytes.count {
                events[0].event = .bytes(bytes.dropFirst(count))
            } else {
                events.removeFirst()
            }
            return count
        case .end: return 0
        case .refused:
            events.removeFirst()
            throw SystemError(ECONNREFUSED)
        case .failed(let error):
            events.removeFirst()
            throw error
        case .reported:
            // Where the queue of errors is read, the call fails once with the error's number.
            events.removeFirst()
            throw SystemError(EHOSTUNREACH)
        case .connected, .handshake: return nil
        }
    }

    func endBothWays() {}

    var pendingFailure: SystemError? {
        establish()
        guard case .failed(let error)? = due, server == nil else { return nil }
        events.removeFirst()
        return error
    }

    func nextReportedError() -> Sockets.ReportedError? {
        guard case .reported(let error)? = due else { return nil }
        events.removeFirst()
        return error
    }

    var ownAddress: NetworkAddress? { nil }

    var packetCounts: Sockets.PacketCounts? {
        guard kind == .stream else { return nil }
        establish()
        let repeated = attempts.count { $0 <= now } - 1
        return .init(
            answered: server == nil ? 0 : 1, repeated: max(0, repeated), pending: server == nil ? max(0, repeated) : 0,
            duplicated: 0, roundTrip: roundTrip ?? .zero)
    }

    // MARK: A connection's server

    private var isSecurePort: Bool { destination?.port == 443 }

    /// What the server does with the connection; nil before it is established.
    private var connectionBehavior: ScriptedInternet.Behavior.ConnectionBehavior? {
        server.map { isSecurePort ? $0.https : $0.http }
    }

    /// Handles that the connection is established, if it is by now.
    private func establish() {
        guard case .connected(let behavior)? = due else { return }
        events.removeFirst()
        server = behavior
        if connectionBehavior == .resetting { schedule(.failed(SystemError(ECONNRESET)), after: .zero) }
    }

    func handshake(with host: String) -> ScriptedHandshake? {
        if let handshake {
            // It ends when the event has come.
            if case .handshake(let end)? = due {
                events.removeFirst()
                self.handshake = end
                return end
            }
            if case .failed(let error)? = due { return .failed(error) }
            return handshake
        }
        handshake = .underWay
        isSecure = true
        let end: ScriptedHandshake? =
            switch connectionBehavior {
            case .open where !isSecurePort && !isTunnel: .broken("wrong version number")
            case .open: .trusted
            case .untrusted: .refused(20, "unable to get local issuer certificate")
            case .selfSigned: .refused(18, "self-signed certificate")
            case .misnamed, .commonNameOnly: .refused(62, "hostname mismatch")
            case .expired: .refused(10, "certificate has expired")
            case .oldTLS: .broken("unsupported protocol")
            case .silent, .resetting, .closed, nil: nil
            }
        if let end, !losesLarge { schedule(.handshake(end), after: carry() * 2) }
        return .underWay
    }

    /// Handles bytes that the server receives.
    private func receive(_ bytes: ArraySlice<UInt8>, _ server: ScriptedInternet.Behavior) {
        guard connectionBehavior != .silent, connectionBehavior != .resetting else { return }
        // The beginning of a TLS handshake that is not acceptable: an alert.
        if isSecurePort, !isSecure { return schedule(.bytes([21, 3, 3, 0, 2, 2, 40]), after: carry()) }
        request += bytes
        guard let end = request.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound,
            let recorded = ScriptedInternet.RecordedRequest(head: Array(request[..<end]), isSecure: isSecure)
        else { return }
        request = []
        isTunnel = isTunnel || recorded.method == "CONNECT"
        answer(server.response(recorded).kind, after: carry())
    }

    private func answer(_ kind: ScriptedInternet.Response.Kind, after delay: Duration) {
        switch kind {
        case .bytes(let bytes):
            schedule(.bytes(bytes[...]), after: delay)
            if !isTunnel || isSecure { schedule(.end, after: delay) }
        case .drip(let bytes, let interval):
            for (place, byte) in bytes.enumerated() { schedule(.bytes([byte]), after: delay + interval * (place + 1)) }
            schedule(.end, after: delay + interval * bytes.count)
        case .endless(let start, let again):
            // More than any client reads.
            let block = Array(repeatElement(again, count: 1_048_576 / again.count).joined())
            schedule(.bytes(start[...]), after: delay)
            for _ in 0..<4 { schedule(.bytes(block[...]), after: delay) }
        case .later(let more, let kind): answer(kind, after: delay + more)
        case .silence: break
        case .reset: schedule(.failed(SystemError(ECONNRESET)), after: delay)
        }
    }

    /// The time that bytes and their answer take; what is lost is repeated (RFC 6298).
    private func carry() -> Duration {
        var waited = Duration.zero
        var patience = Duration.milliseconds(200)
        for _ in 0..<8 {
            let fate = fate(.connection, at: now + waited)
            if case .accepted = fate.outcome { return waited + fate.delay }
            waited += patience
            patience *= 2
        }
        return .seconds(3600)
    }

    private func fate(_ content: ScriptedPacket.Content, at moment: Duration) -> PacketFate {
        guard let (address, port) = destination else {
            return PacketFate(outcome: .notSent(SystemError(ENOTCONN)), delay: .zero)
        }
        return sockets.network.fate(
            of: ScriptedPacket(destination: address, port: port, content: content, hopLimit: hopLimit), at: moment)
    }
}
#endif
