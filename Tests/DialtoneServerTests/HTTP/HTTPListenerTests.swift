// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import DialtoneServer

struct HTTPListenerTests {
    @Test func `the listener ends with an error when connections can no longer be awaited`() async throws {
        let listener = try HTTPListener(try ListenAddress(parsing: "127.0.0.1:0"), limits: .patient)
        let running = Task { try await listener.run { _ in Response(200, "ok\n") } }
        #expect(try await RawClient.ask(listener.address.port, "GET", "/").status == 200)
        #expect(await listener.responds())
        try #require(Self.listening(on: listener.address.port).map { shutdown($0, Int32(SHUT_RDWR)) } == 0)
        let error = await #expect(throws: ServerError.self) { try await running.value }
        #expect(error?.code == .system)
        #expect(await !listener.responds())
    }

    /// The descriptor that listens on a port of 127.0.0.1.
    private static func listening(on port: UInt16) -> Int32? {
        (0..<4096).first { descriptor in
            var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
            var (listens, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            let isNamed = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            return isNamed == 0 && address.sin_port == port.bigEndian
                && getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens == 1
        }
    }

    @Test func `stopping does not wait for a request that never completes`() async throws {
        var limits = ServerLimits.patient
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

    @Test func `a listener that is stopped before it runs ends at once`() async throws {
        let listener = try HTTPListener(try ListenAddress(parsing: "127.0.0.1:0"), limits: .patient)
        listener.stop()
        #expect(try await listener.run { _ in Response(200, "ok\n") })
    }

    @Test func `a stopped listener does not respond`() async throws {
        let listener = try HTTPListener(try ListenAddress(parsing: "127.0.0.1:0"), limits: .patient)
        #expect(await !listener.responds())
        let running = Task { try await listener.run { _ in Response(200, "ok\n") } }
        #expect(try await RawClient.ask(listener.address.port, "GET", "/").status == 200)
        #expect(await listener.responds())
        listener.stop()
        #expect(try await running.value)
        #expect(await !listener.responds())
    }
}
