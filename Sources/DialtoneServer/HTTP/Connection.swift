// SPDX-License-Identifier: Apache-2.0

import DialtoneSupport
import FlyingSocks

/// Answers a request.
typealias RequestHandler = @Sendable (Request) async -> Response

/// One connection, from its first request until it is closed.
struct Connection {
    let socket: AsyncSocket
    let identifier: UInt64
    let peer: Peer?
    let table: ConnectionTable
    /// The limit on unsent response bytes of all connections.
    let budget: Budget
    let limits: ServerLimits
    let handler: RequestHandler

    /// Serves requests until either side closes the connection.
    func serve() async {
        var parser = RequestParser(limits)
        table.allow(identifier, limits.requestTime, isIdle: true)
        do {
            while let request = try await next(&parser) {
                var response = await handler(request)
                let taken = admit(&response)
                defer { budget.release(taken) }
                guard try await send(response, to: request) else { return }
            }
        } catch let error as RequestError {
            let response = Response.problem(error.status, error.message)
            try? await write(response.head(keepsAlive: false), Self.bytes(response))
        } catch {
            // The peer disconnected or was too slow: there is no client to report the error to.
        }
    }

    /// The next request; nil at a clean end of the connection.
    private func next(_ parser: inout RequestParser) async throws -> Request? {
        while true {
            if var request = try parser.next() {
                request.peer = peer
                // The handler limits its own duration.
                table.allow(identifier, nil)
                return request
            }
            let wasInside = parser.isInside
            let bytes: [UInt8]
            do {
                bytes = try await socket.read(atMost: 4096)
            } catch SocketError.disconnected {
                return nil
            }
            parser.feed(bytes)
            // The time limit counts from a request's first byte; more bytes do not extend it.
            if !wasInside { table.allow(identifier, limits.requestTime) }
        }
    }

    /// Counts a response's body against the budget until it is sent, or refuses it if too many bytes are unsent.
    ///
    /// - Returns: the number of bytes to release afterwards.
    private func admit(_ response: inout Response) -> Int {
        let size = Self.bytes(response).count
        // Short bodies are always allowed: the refusal would be no shorter.
        guard size > Self.short else { return 0 }
        if budget.reserve(size) { return size }
        response = .problem(503, "Too many unsent responses. Try again shortly.").adding("Retry-After", "5")
        return 0
    }

    /// Sends a response.
    ///
    /// - Returns: whether the connection stays open.
    private func send(_ response: Response, to request: Request) async throws -> Bool {
        switch response.body {
        case .bytes(let bytes):
            let keepsAlive = request.keepsAlive && !table.isClosing
            let head = response.head(keepsAlive: keepsAlive)
            try await write(head, request.method == "HEAD" ? [] : bytes)
            table.allow(identifier, limits.idleTime, isIdle: true)
            return keepsAlive
        case .stream(let produce):
            try await write(response.head(keepsAlive: false))
            if request.method != "HEAD" { try await produce { try await write($0) } }
            return false
        }
    }

    /// Writes head and body in pieces, so that a long body is not copied as a whole; the time limit covers all pieces.
    private func write(_ head: [UInt8], _ body: [UInt8] = []) async throws {
        table.allow(identifier, limits.writeTime)
        var rest = body[...]
        var first = head
        first += rest.prefix(Self.piece)
        try await socket.write(Data(first))
        rest = rest.dropFirst(Self.piece)
        while !rest.isEmpty {
            try await socket.write(Data(rest.prefix(Self.piece)))
            rest = rest.dropFirst(Self.piece)
        }
        table.allow(identifier, nil)
    }

    /// The length up to which a body is not counted, in bytes.
    private static let short = 4096
    /// The number of bytes passed to the socket at a time.
    private static let piece = 65_536

    private static func bytes(_ response: Response) -> [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }
}

/// Writes bytes of a streamed response, and returns once the kernel has accepted all of them.
///
/// Throws if the peer disconnected or is too slow.
typealias StreamWriter = @Sendable (_ bytes: [UInt8]) async throws -> Void
