// SPDX-License-Identifier: Apache-2.0

import CLibrary
import Dialtone
import DialtoneSupport
import FlyingSocks
import Synchronization

/// Listens for connections and serves them.
///
/// FlyingSocks provides the sockets and their readiness. The HTTP code is our own, because every wait must be bounded.
final class HTTPListener: Sendable {
    /// The address it listens on, with the actual port.
    let address: ListenAddress

    private let socket: Socket
    private let limits: ServerLimits
    private let makePool: @Sendable () -> any AsyncSocketPool
    private let state = Mutex(State())
    private let end = AsyncStream.makeStream(of: Void.self)

    private struct State {
        var isStopping = false
        var failure: ServerError?
        /// A pair of sockets in the pool of the connections.
        var pulse: (sending: Socket, receiving: AsyncSocket)?
    }

    /// Starts to listen; connections are served once `run(_:)` is called.
    ///
    /// - Throws: ``ServerError`` if it cannot listen.
    init(
        _ address: ListenAddress, limits: ServerLimits,
        makePool: @escaping @Sendable () -> any AsyncSocketPool = { SocketPool<Poll>.make(maxEvents: 64) }
    ) throws(ServerError) {
        self.limits = limits
        self.makePool = makePool
        do {
            (socket, self.address) = try Self.listen(address)
        } catch let error as SocketError {
            throw ServerError(error, address)
        } catch {
            throw ServerError(.system, "cannot listen on \(address): \(error)")
        }
    }

    private static func listen(_ address: ListenAddress) throws -> (Socket, ListenAddress) {
        let isIPv6 = address.host.version == .ipv6
        let socket = try Socket(domain: Int32(isIPv6 ? AF_INET6 : AF_INET), type: .stream)
        do {
            Descriptors.markPrivate(socket.file.rawValue)
            try socket.setValue(true, for: .localAddressReuse)
            if isIPv6 {
                var place = try sockaddr_in6.inet6(ip6: address.host.unscoped.description, port: address.port)
                place.sin6_scope_id = address.host.scope
                try socket.bind(to: place)
            } else {
                try socket.bind(to: .inet(ip4: address.host.unscoped.description, port: address.port))
            }
            try socket.listen()
            switch try socket.sockname() {
            case .ip4(_, let port), .ip6(_, let port): return (socket, ListenAddress(address.host, port: port))
            case .unix: return (socket, address)
            }
        } catch {
            try? socket.close()
            throw error
        }
    }

    /// Serves until `stop()` is called or the task is cancelled; requests in progress then get time to complete.
    ///
    /// - Returns: whether they completed in that time.
    /// - Throws: an error if connections can no longer be accepted or read.
    func run(_ handler: @escaping RequestHandler) async throws -> Bool {
        let pool = makePool()
        try await pool.prepare()
        let table = ConnectionTable(limit: limits.connections, perPeer: limits.connectionsPerPeer)
        let budget = Budget(limits.unsentBytes)
        let socket = socket
        let listening = try AsyncSocket(socket: socket, pool: pool)
        try makePulse(pool)
        defer { endPulse() }
        let polling = Task {
            do {
                try await pool.run()
                fail("the wait for connections ended")
            } catch {
                fail("the wait for connections failed: \(error)")
            }
        }
        let accepting = Task { [limits] in
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled, let peer = await accept(listening) {
                    let descriptor = peer.socket.file.rawValue
                    Descriptors.markPrivate(descriptor)
                    Descriptors.sendAtOnce(descriptor)
                    Descriptors.boundSending(descriptor, to: 65_536)
                    let client = Peer(of: descriptor)
                    guard let identifier = table.add(descriptor, from: client) else {
                        Self.reject(peer)
                        continue
                    }
                    let connection = Connection(
                        socket: peer, identifier: identifier, peer: client, table: table, budget: budget,
                        limits: limits, handler: handler)
                    // Outside the group's cancellation: a request in progress is allowed to complete.
                    group.addTask {
                        await Task { await connection.serve() }.value
                        table.remove(identifier)
                        try? peer.close()
                    }
                }
                try? socket.close()
                table.close(grace: limits.grace)
            }
        }
        // Ends with `stop()`, or when the task is cancelled.
        for await _ in end.stream {}
        stop()
        accepting.cancel()
        // Without the pool, connections might never end.
        if let failure = state.withLock({ $0.failure }) { throw failure }
        defer { polling.cancel() }
        // After the grace period all connections are closed, but a request may still wait for a disk.
        return await completes(within: limits.grace + .seconds(1)) { await accepting.value }
    }

    /// Returns once the event loop that serves the connections has handled an event; never while it hangs.
    ///
    /// - Returns: whether connections are being accepted.
    func responds() async -> Bool {
        guard let pulse = state.withLock({ $0.isStopping ? nil : $0.pulse }) else { return false }
        do {
            _ = try pulse.sending.write(Data([0]))
            _ = try await pulse.receiving.read()
            return true
        } catch {
            return false
        }
    }

    private func makePulse(_ pool: some AsyncSocketPool) throws {
        let ends = try Descriptors.makePair().map { Socket(file: .init(rawValue: $0)) }
        let (sending, receiving) = (ends[0], ends[1])
        try sending.setFlags(.nonBlocking)
        let pulse = (sending, try AsyncSocket(socket: receiving, pool: pool))
        state.withLock { $0.pulse = pulse }
    }

    private func endPulse() {
        let pulse = state.withLock { state in
            defer { state.pulse = nil }
            return state.pulse
        }
        try? pulse?.sending.close()
        try? pulse?.receiving.close()
    }

    /// Ends `run(_:)` with an error, unless it is already ending.
    private func fail(_ reason: String) {
        state.withLock { state in
            guard !state.isStopping, state.failure == nil else { return }
            state.failure = ServerError(.system, "stopped serving on \(address): \(reason)")
        }
        stop()
    }

    /// Stops accepting connections, and ends `run(_:)` once the requests in progress are complete.
    func stop() {
        state.withLock { $0.isStopping = true }
        end.continuation.finish()
    }

    /// The next connection; nil once there can be no more.
    ///
    /// Lack of descriptors or memory, and a connection that ended before it was accepted, do not stop the listener.
    private func accept(_ listening: AsyncSocket) async -> AsyncSocket? {
        while !Task.isCancelled {
            do {
                return try await listening.accept()
            } catch SocketError.failed(_, let number, let message)
                where [EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP, EFAULT].contains(number)
            {
                fail("accept: \(message)")
                return nil
            } catch is CancellationError {
                if !Task.isCancelled { fail("the wait for connections ended") }
                return nil
            } catch {
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
        return nil
    }

    /// Sends one response that fits the kernel's buffer, and closes the connection.
    private static func reject(_ peer: AsyncSocket) {
        let response = Response(503, fields: [("Retry-After", "5")], body: .bytes([]))
        _ = try? peer.socket.write(.init(response.head(keepsAlive: false)))
        try? peer.close()
    }
}

extension ServerError {
    fileprivate init(_ error: SocketError, _ address: ListenAddress) {
        guard case .failed(_, let number, let message) = error else {
            self.init(.system, "cannot listen on \(address): \(error)")
            return
        }
        switch number {
        case EADDRINUSE:
            self.init(
                .portInUse, "\(address) is already in use: choose another port with --listen, or 0 for any")
        case EACCES, EPERM:
            self.init(.notPermitted, "this user may not listen on \(address): choose a port above 1023")
        case EADDRNOTAVAIL: self.init(.badAddress, "\(address.host) is not an address of this machine")
        default: self.init(.system, "cannot listen on \(address): \(message)")
        }
    }
}
