//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import FlyingSocks
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Listens, and serves whoever connects.
///
/// The sockets and their readiness are FlyingSocks'; the HTTP is our own, because every wait of it has to be bounded.
final class HTTPListener: Sendable {
    /// Where it listens, with the port that it got.
    let address: ListenAddress

    private let socket: Socket
    private let limits: HTTPLimits
    private let stopping = Mutex<(isStopping: Bool, wake: CheckedContinuation<Void, Never>?)>((false, nil))

    /// Begins to listen; connections are served once `run(_:)` is called.
    ///
    /// - Throws: why not.
    init(_ address: ListenAddress, limits: HTTPLimits) throws(ServerError) {
        self.limits = limits
        do {
            (socket, self.address) = try Self.listen(address)
        } catch let error as SocketError {
            throw ServerError(error, address)
        } catch {
            throw ServerError(.system, "Cannot listen on \(address): \(error)")
        }
    }

    private static func listen(_ address: ListenAddress) throws -> (Socket, ListenAddress) {
        let isIPv6 = address.host.version == .ipv6
        let socket = try Socket(domain: Int32(isIPv6 ? AF_INET6 : AF_INET), type: .stream)
        do {
            Descriptors.markPrivate(socket.file.rawValue)
            try socket.setValue(true, for: .localAddressReuse)
            if isIPv6 {
                var place = try sockaddr_in6.inet6(ip6: address.host.literal, port: address.port)
                place.sin6_scope_id = address.host.scope
                try socket.bind(to: place)
            } else {
                try socket.bind(to: .inet(ip4: address.host.literal, port: address.port))
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

    /// Serves until `stop()` or the end of the task; then lets requests end that are under way, for a while.
    func run(_ handler: @escaping RequestHandler) async throws {
        let pool = HTTPListener.makePool()
        try await pool.prepare()
        let table = ConnectionTable(limit: limits.connections)
        let budget = Budget(limits.unsentBytes)
        let socket = socket
        let listening = try AsyncSocket(socket: socket, pool: pool)
        let polling = Task { try await pool.run() }
        let accepting = Task { [limits] in
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled, let peer = await Self.accept(listening) {
                    let descriptor = peer.socket.file.rawValue
                    Descriptors.markPrivate(descriptor)
                    Descriptors.sendAtOnce(descriptor)
                    Descriptors.boundSending(descriptor, to: 65_536)
                    guard let identifier = table.add(descriptor) else {
                        Self.turnAway(peer)
                        continue
                    }
                    let connection = Connection(
                        socket: peer, identifier: identifier, table: table, budget: budget, limits: limits,
                        handler: handler)
                    // Not of the group's cancellation: a request that is under way ends by itself.
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
        await waitForStop()
        accepting.cancel()
        await accepting.value
        polling.cancel()
    }

    /// Stops accepting, and ends `run(_:)` when the requests under way have ended.
    func stop() {
        let wake = stopping.withLock { state in
            state.isStopping = true
            defer { state.wake = nil }
            return state.wake
        }
        wake?.resume()
    }

    private func waitForStop() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStopping = stopping.withLock { state in
                    if !state.isStopping { state.wake = continuation }
                    return state.isStopping
                }
                if isStopping { continuation.resume() }
            }
        } onCancel: {
            stop()
        }
    }

    /// The next connection; nil once the task is cancelled.
    ///
    /// Running out of descriptors is no reason to stop listening: some will be free again.
    private static func accept(_ listening: AsyncSocket) async -> AsyncSocket? {
        while !Task.isCancelled {
            do {
                return try await listening.accept()
            } catch is CancellationError {
                return nil
            } catch {
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
        return nil
    }

    /// One answer that fits the kernel's buffer, and the end.
    private static func turnAway(_ peer: AsyncSocket) {
        let response = Response(503, fields: [("Retry-After", "5")], body: .bytes([]))
        _ = try? peer.socket.write(.init(response.head(keepsAlive: false)))
        try? peer.close()
    }

    private static func makePool() -> some AsyncSocketPool { SocketPool<Poll>.make(maxEvents: 64) }
}

extension ServerError {
    fileprivate init(_ error: SocketError, _ address: ListenAddress) {
        guard case .failed(_, let number, let message) = error else {
            self.init(.system, "Cannot listen on \(address): \(error)")
            return
        }
        switch number {
        case EADDRINUSE:
            self.init(
                .portInUse, "Somebody listens on \(address) already: choose another port with --listen, or 0 for any.")
        case EACCES, EPERM:
            self.init(.notPermitted, "This user may not listen on \(address): choose a port above 1023.")
        case EADDRNOTAVAIL: self.init(.badAddress, "\(address.host) is no address of this machine.")
        default: self.init(.system, "Cannot listen on \(address): \(message)")
        }
    }
}
