// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import HTTPTypes
import HummingbirdCore
import LibC
import Logging
import NIOCore
import NIOHTTPTypesHTTP1
import NIOPosix
import NIOSSL
import SystemSupport

typealias RequestHandler = @Sendable (Request) async -> Response

/// Listens for connections and serves them with Hummingbird.
///
/// `ConnectionHandler` bounds each wait, and `ConnectionTable` the number of connections. A TLS handshake is part of the first
/// request's time.
final class HTTPListener: Sendable {
    /// The addresses it listens on, with the actual ports.
    let addresses: [ListenAddress]

    let isEncrypted: Bool

    private let limits: ServerLimits
    private let logger: Logger
    private let time: TimeSource
    /// The identity for new connections; nil without TLS.
    private let identity: Mutex<ServerIdentity?>
    private let state: Mutex<State>
    private let end = AsyncStream.makeStream(of: Void.self)
    /// The limit on unsent response bytes of all connections.
    private let budget: Budget

    private struct State {
        var isStopping = false
        /// The listening sockets, until the server runs.
        var sockets: [Descriptor]
        /// The listening sockets while the server runs: each is added before it accepts a connection.
        var channels: [any Channel] = []
        /// The first address that is no longer served, and the reason.
        var failure: String?
    }

    /// Starts to listen; connections are served once `run(_:)` is called.
    ///
    /// - Parameters:
    ///   - addresses: the addresses and ports to listen on; without any, no port is open.
    ///   - identity: the identity for HTTPS; nil for HTTP.
    ///   - logger: receives the reasons for which connections end early.
    /// - Throws: ``ServiceError`` if it cannot listen on one of them.
    init(
        _ addresses: [ListenAddress], limits: ServerLimits, identity: ServerIdentity? = nil,
        logger: Logger = HTTPListener.noLog, time: TimeSource = .system
    ) throws(ServiceError) {
        self.limits = limits
        self.logger = logger
        self.time = time
        self.identity = Mutex(identity)
        isEncrypted = identity != nil
        budget = Budget(limits.unsentBytes)
        var bound: [(socket: Descriptor, address: ListenAddress)] = []
        for address in addresses {
            do {
                let socket = try Sockets.openSocket(address.host.version, .stream)
                try Sockets.allowReuse(socket)
                // The unspecified address of IPv6 includes all of IPv4, unless that has its own socket.
                if address.host.version == .ipv6,
                    addresses.contains(where: { $0.host.version == .ipv4 && $0.port == address.port })
                {
                    try Sockets.setOption(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1)
                }
                try Sockets.bindSocket(socket, to: address.host, port: address.port)
                try Sockets.startListening(socket, backlog: 256)
                bound.append((socket, ListenAddress(address.host, port: try Sockets.port(socket))))
            } catch {
                throw ServiceError(error, address)
            }
        }
        self.addresses = bound.map(\.address)
        state = Mutex(State(sockets: bound.map(\.socket)))
    }

    /// Serves until `stop()` is called or the task is cancelled; requests in progress then get time to complete.
    ///
    /// - Returns: whether they completed in that time.
    /// - Throws: ``ServiceError`` if connections can no longer be accepted.
    @available(macOS 14, *)
    func run(_ handler: @escaping RequestHandler) async throws -> Bool {
        let table = ConnectionTable(limits)
        let servers = try await listen(table, handler)
        guard !servers.isEmpty || addresses.isEmpty else { return true }
        let serving = Task { [self] in
            await withDiscardingTaskGroup { group in
                for server in servers { group.addTask { await self.serve(server) } }
            }
        }
        // Ends with `stop()`, when the task is cancelled, or when a listening socket is closed.
        for await _ in end.stream {}
        let (wasStopping, failure, channels) = state.withLock { state in
            defer {
                state.channels = []
                state.isStopping = true
            }
            return (state.isStopping, state.failure, state.channels)
        }
        for channel in channels { channel.close(promise: nil) }
        table.close()
        let grace = limits.grace
        let time = time
        let closing = Task {
            try await time.sleep(for: grace)
            table.closeAll()
        }
        defer { closing.cancel() }
        guard wasStopping || Task.isCancelled else {
            table.closeAll()
            throw ServiceError("stopped serving on \(failure ?? "all addresses")", .system)
        }
        // After the grace period all connections are closed, but a request may still wait for a disk.
        return await completes(within: grace + .seconds(1), on: time) { await serving.value }
    }

    /// A socket that NIO listens on.
    @available(macOS 14, *)
    private struct Listening {
        let address: ListenAddress
        /// Its connections: the tasks that serve them.
        let channel: NIOAsyncChannel<Task<Void, Never>, Never>
    }

    /// Serves the connections of one socket until it is closed.
    @available(macOS 14, *)
    private func serve(_ server: Listening) async {
        defer { end.continuation.finish() }
        try? await server.channel.executeThenClose { connections in
            await withDiscardingTaskGroup { group in
                var reason = "the listening socket was closed"
                do {
                    for try await connection in connections {
                        group.addTask { await connection.value }
                    }
                } catch {
                    reason = "\(error)"
                }
                state.withLock { $0.failure = $0.failure ?? "\(server.address): \(reason)" }
                end.continuation.finish()
            }
        }
    }

    /// Hands the listening sockets to NIO, all or none; returns none if the server was stopped before.
    @available(macOS 14, *)
    private func listen(_ table: ConnectionTable, _ handler: @escaping RequestHandler) async throws -> [Listening] {
        var servers: [Listening] = []
        do {
            try await listen(table, handler, &servers)
            return servers
        } catch {
            // NIO traps unless each channel is served to its end.
            for server in servers { try? await server.channel.executeThenClose { _ in } }
            table.closeAll()
            throw error
        }
    }

    @available(macOS 14, *)
    private func listen(
        _ table: ConnectionTable, _ handler: @escaping RequestHandler, _ servers: inout [Listening]
    ) async throws {
        let limits = limits
        let logger = logger
        let time = time
        let http = HTTP1Channel(
            responder: { [self] request, writer, _ in try await respond(to: request, writer, handler) },
            configuration: .init(
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes,
                    maxHeaderFieldCount: limits.fieldCount)))
        let sockets = state.withLock { state in
            defer { state.sockets = [] }
            return state.sockets
        }
        guard !sockets.isEmpty else { return }
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelInitializer { [self] channel in
                // Not after `bind`, which returns when connections may have been answered already.
                state.withLock { $0.channels.append(channel) }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            // The buffers of a client that does not read: 64 KiB in the kernel, and here one write at a time.
            .childChannelOption(.socketOption(.so_sndbuf), value: 65_536)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: 1))
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
        for (socket, address) in zip(sockets, addresses) {
            let serve = { @Sendable [self] (channel: any Channel) -> EventLoopFuture<Task<Void, Never>> in
                http.setup(channel: channel, logger: Self.noLog).flatMapThrowing { value in
                    // NIO drops the connections that it accepts while it stops, and traps unless each is served to its end.
                    // A separate task is not cancelled with the group: a request in progress is allowed to complete.
                    let connection = Task { await http.handle(value: value, logger: Self.noLog) }
                    guard let identifier = table.add({ channel.close(promise: nil) }) else {
                        channel.close(promise: nil)
                        return connection
                    }
                    channel.closeFuture.whenComplete { _ in table.remove(identifier) }
                    let pipeline = channel.pipeline.syncOperations
                    let handler = ConnectionHandler(limits, table, identifier, logger, time)
                    try pipeline.addHandler(ByteObserver(handler), position: .first)
                    if let identity = self.identity.withLock({ $0 }) {
                        try pipeline.addHandler(NIOSSLServerHandler(context: identity.context), position: .first)
                        try pipeline.addHandler(PlainRequestRefusal(), position: .first)
                    }
                    try pipeline.addHandler(
                        handler, position: .before(pipeline.handler(type: HTTP1ToHTTPServerCodec.self)))
                    return connection
                }
            }
            do {
                let channel = try await bootstrap.bind(socket.duplicate(), childChannelInitializer: serve)
                servers.append(Listening(address: address, channel: channel))
            } catch {
                state.withLock {
                    $0.channels = []
                    $0.isStopping = true
                }
                throw ServiceError("cannot serve on \(address): \(error)", .system)
            }
        }
    }

    static let noLog = Logger(label: "http", factory: { _ in SwiftLogNoOpLogHandler() })

    // MARK: Requests

    /// The length up to which a body is not counted, in bytes.
    private static let short = 4096
    /// The number of bytes passed to the socket at a time.
    private static let piece = 65_536

    @concurrent private func respond(
        to request: HummingbirdCore.Request, _ writer: consuming ResponseWriter, _ handler: RequestHandler
    ) async throws {
        let body = try await request.body.collect(upTo: limits.bodyBytes)
        // The body of a connection that ended early is incomplete, and the request must have no effect.
        guard request.headers[.contentLength].flatMap({ Int($0) }) ?? 0 == body.readableBytes else {
            throw CancellationError()
        }
        var response = await handler(
            Request(request.head, body: Array(body.readableBytesView), isEncrypted: isEncrypted))
        let taken = admit(&response)
        defer { budget.release(taken) }
        var head = HTTPResponse(status: .init(code: response.status))
        for (name, value) in response.fields {
            if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
        }
        let isBodiless = request.method == .head || [204, 304].contains(response.status)
        switch response.body {
        case .bytes(let bytes):
            if ![204, 304].contains(response.status) { head.headerFields[.contentLength] = "\(bytes.count)" }
            guard !isBodiless, bytes.count > Self.short else {
                let buffer = isBodiless ? ByteBuffer() : ByteBuffer(bytes: bytes)
                try await writer.write(response: head, body: .init(byteBuffer: buffer))
                return
            }
            // In pieces, so that a long body is not copied as a whole. The end waits until the kernel has accepted them.
            var body = try await writer.writeHead(head)
            for start in stride(from: 0, to: bytes.count, by: Self.piece) {
                try await body.write(ByteBuffer(bytes: bytes[start..<min(start + Self.piece, bytes.count)]))
            }
            try await body.finish(nil)
        case .stream(let produce):
            guard !isBodiless else { return try await writer.writeResponse(head) }
            let body = ResponseBody { writer in
                try await produce(&writer)
                try await writer.finish(nil)
            }
            try await writer.write(response: head, body: body)
        }
    }

    /// Counts a response's body against the budget until it is sent, or refuses it if too many bytes are unsent.
    ///
    /// - Returns: the number of bytes to release afterwards.
    private func admit(_ response: inout Response) -> Int {
        let size = response.bytes.count
        // Short bodies are always allowed: the refusal would be no shorter.
        guard size > Self.short else { return 0 }
        if budget.reserve(size) { return size }
        response = .problem(503, "Too many unsent responses. Try again shortly.").adding("Retry-After", "5")
        return 0
    }

    // MARK: Control

    /// Returns once every event loop that serves connections has handled an event; never while one hangs.
    ///
    /// - Returns: whether connections are being accepted.
    func responds() async -> Bool {
        let (channels, isStopping) = state.withLock { ($0.channels, $0.isStopping) }
        guard !isStopping, channels.count == addresses.count, channels.allSatisfy(\.isActive) else { return false }
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            do { try await loop.submit {}.get() } catch { return false }
        }
        return true
    }

    /// Uses another identity for new connections; the open ones continue with theirs.
    func present(_ new: ServerIdentity) { identity.withLock { $0 = new } }

    /// Stops accepting connections, and ends `run(_:)` once the requests in progress are complete.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.sockets = []
        }
        end.continuation.finish()
    }
}

extension Request {
    /// Creates a request from its head, which meets the server's rules, and its body.
    fileprivate init(_ head: HTTPRequest, body: [UInt8], isEncrypted: Bool) {
        let target = (head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            method: head.method.rawValue, path: String(target[0]),
            query: target.count > 1 ? FormText.decode(target[1]) : [:],
            fields: head.headerFields.map { Field(name: $0.name.canonicalName, value: $0.value) }, body: body,
            isEncrypted: isEncrypted)
        if let host = head.authority { fields.append(Field(name: "host", value: host)) }
    }
}

extension ServiceError {
    fileprivate init(_ error: SystemError, _ address: ListenAddress) {
        switch error.number {
        case EADDRINUSE:
            self.init("\(address) is already in use: choose another port with --listen, or 0 for any", .system)
        case EACCES, EPERM: self.init("this user may not listen on \(address): choose a port above 1023")
        case EADDRNOTAVAIL: self.init("\(address.host) is not an address of this machine")
        default: self.init("cannot listen on \(address): \(error)", .system)
        }
    }
}
