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
    let limits: HTTPLimits
    let handler: RequestHandler

    /// Serves requests until either side has had enough.
    func serve() async {
        var parser = RequestParser(limits)
        table.allow(identifier, limits.requestTime)
        do {
            while let request = try await next(&parser) {
                let response = await handler(request)
                guard try await send(response, to: request) else { return }
            }
        } catch let error as RequestError {
            let response = Response.problem(error.status, error.message)
            try? await write(response.head(keepsAlive: false) + Self.bytes(response))
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

    /// Sends an answer.
    ///
    /// - Returns: whether the connection goes on.
    private func send(_ response: Response, to request: Request) async throws -> Bool {
        switch response.body {
        case .bytes(let bytes):
            let keepsAlive = request.keepsAlive && !table.isClosing
            let head = response.head(keepsAlive: keepsAlive)
            try await write(request.method == "HEAD" ? head : head + bytes)
            table.allow(identifier, limits.idleTime, isIdle: true)
            return keepsAlive
        case .stream(let produce):
            Descriptors.boundSending(socket.socket.file.rawValue, to: 65_536)
            try await write(response.head(keepsAlive: false))
            if request.method != "HEAD" { try await produce(StreamWriter { try await write($0) }) }
            return false
        }
    }

    private func write(_ bytes: [UInt8]) async throws {
        table.allow(identifier, limits.writeTime)
        try await socket.write(Data(bytes))
        table.allow(identifier, nil)
    }

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
