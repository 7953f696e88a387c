// SPDX-License-Identifier: Apache-2.0

import FlyingSocks
import Foundation
import Testing

@testable import DialtoneServer

struct HTTPListenerTests {
    private struct PoolError: Error {}

    /// A pool that works until the test makes it fail.
    private actor FailingPool: AsyncSocketPool {
        private let pool: any AsyncSocketPool = SocketPool<Poll>.make(maxEvents: 64)
        private let failure: AsyncStream<Void>

        init(_ failure: AsyncStream<Void>) { self.failure = failure }

        func prepare() async throws { try await pool.prepare() }

        func run() async throws {
            let running = Task { try await pool.run() }
            for await _ in failure { break }
            running.cancel()
            throw PoolError()
        }

        func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
            try await pool.suspendSocket(socket, untilReadyFor: events)
        }
    }

    @Test func `the listener ends with an error when connections can no longer be awaited`() async throws {
        let (stream, failure) = AsyncStream.makeStream(of: Void.self)
        let pool = FailingPool(stream)
        let listener = try HTTPListener(
            try ListenAddress(parsing: "127.0.0.1:0"), limits: ServerLimits(), makePool: { pool })
        let running = Task { try await listener.run { _ in Response(200, "ok\n") } }
        #expect(try await RawClient.ask(listener.address.port, "GET", "/").status == 200)
        #expect(await listener.responds())
        failure.yield()
        let error = await #expect(throws: ServerError.self) { try await running.value }
        #expect(error?.code == .system)
        #expect(await !listener.responds())
    }

    @Test func `stopping does not wait for a request that never completes`() async throws {
        var limits = ServerLimits()
        limits.grace = .milliseconds(100)
        let listener = try HTTPListener(try ListenAddress(parsing: "127.0.0.1:0"), limits: limits)
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            try await listener.run { _ in
                request.yield()
                // A task of its own is not cancelled with the connection.
                await Task { for await _ in ending {} }.value
                return Response(200, "ok\n")
            }
        }
        let client = try RawClient(listener.address.port)
        try client.send(RawClient.text(listener.address.port, "GET", "/"))
        for await _ in requests { break }
        listener.stop()
        #expect(try await !running.value)
        end.finish()
    }

    @Test func `a stopped listener does not respond`() async throws {
        let listener = try HTTPListener(try ListenAddress(parsing: "127.0.0.1:0"), limits: ServerLimits())
        #expect(await !listener.responds())
        let running = Task { try await listener.run { _ in Response(200, "ok\n") } }
        #expect(try await RawClient.ask(listener.address.port, "GET", "/").status == 200)
        #expect(await listener.responds())
        listener.stop()
        #expect(try await running.value)
        #expect(await !listener.responds())
    }
}
