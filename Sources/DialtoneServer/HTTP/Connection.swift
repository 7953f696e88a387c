//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FlyingSocks
import FoundationEssentials

/// Answers a request.
typealias RequestHandler = @Sendable (Request) async -> Response

/// One connection, from its first request to its end.
struct Connection {
    let socket: AsyncSocket
    let identifier: UInt64
    let table: ConnectionTable
    /// The bytes of answers that may wait to be sent, of all connections.
    let budget: Budget
    let limits: HTTPLimits
    let handler: RequestHandler

    /// Serves requests until either side has had enough.
    func serve() async {
        var parser = RequestParser(limits)
        table.allow(identifier, limits.requestTime)
        do {
            while let request = try await next(&parser) {
                var response = await handler(request)
                let taken = admit(&response)
                defer { budget.giveBack(taken) }
                guard try await send(response, to: request) else { return }
            }
        } catch let error as RequestError {
            let response = Response.problem(error.status, error.message)
            try? await write(response.head(keepsAlive: false), Self.bytes(response))
        } catch {
            // The peer has gone, or was too slow: there is nobody to tell.
        }
    }

    /// The next request; nil at an orderly end.
    private func next(_ parser: inout RequestParser) async throws -> Request? {
        while true {
            if let request = try parser.next() {
                // What the handler does is bounded by itself.
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
            // The time runs from a request's first byte; more bytes bring no more time.
            if !wasInside { table.allow(identifier, limits.requestTime) }
        }
    }

    /// Has an answer's body counted until it is sent, or refuses it when too much waits already.
    ///
    /// - Returns: what is to be given back.
    private func admit(_ response: inout Response) -> Int {
        let size = Self.bytes(response).count
        // What is short is let through: the refusal would be no shorter.
        guard size > Self.short else { return 0 }
        if budget.take(size) { return size }
        response = .problem(503, "Too much waits to be sent already.").adding("Retry-After", "5")
        return 0
    }

    /// Sends an answer.
    ///
    /// - Returns: whether the connection goes on.
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
            if request.method != "HEAD" { try await produce(StreamWriter { try await write($0) }) }
            return false
        }
    }

    /// Writes both, in pieces, so that a long body is not in memory once more; the time is for all of them.
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

    /// The longest body that is no matter, in bytes.
    private static let short = 4096
    /// How much is handed to the socket at a time, in bytes.
    private static let piece = 65_536

    private static func bytes(_ response: Response) -> [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }
}

/// What a stream writes to.
struct StreamWriter: Sendable {
    private let body: @Sendable ([UInt8]) async throws -> Void

    init(_ body: @escaping @Sendable ([UInt8]) async throws -> Void) { self.body = body }

    /// Writes, and returns when the kernel has taken all of it.
    ///
    /// - Throws: when the peer has gone, or takes too long.
    func write(_ bytes: [UInt8]) async throws { try await body(bytes) }
}
