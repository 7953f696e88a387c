// SPDX-License-Identifier: Apache-2.0

import DialtoneAgent
import DialtoneTesting
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneServer

@Suite(.real, .timeLimit(.minutes(5)))
struct HTTPListenerTests {
    @Test func `the listener ends with an error when connections can no longer be awaited`() async throws {
        let listener = try HTTPListener([try ListenAddress(parsing: "127.0.0.1:0")], limits: .patient)
        let running = Task { try await listener.run { _ in Response(200, "ok\n") } }
        #expect(try await RawClient.ask(listener.addresses[0].port, "GET", "/").status == 200)
        #expect(await listener.responds())
        try #require(Self.listening(on: listener.addresses[0]).map { shutdown($0, Int32(SHUT_RDWR)) } == 0)
        let error = await #expect(throws: ServiceError.self) { try await running.value }
        #expect(error?.kind == .system)
        #expect(await !listener.responds())
    }

    @Test func `several addresses are served, and the failure of one ends all`() async throws {
        let texts = ["127.0.0.1:0", "127.0.0.2:0"]
        let listener = try HTTPListener(try texts.map { try ListenAddress(parsing: $0) }, limits: .patient)
        let running = Task { try await listener.run { _ in Response(200, "ok\n") } }
        let last = listener.addresses[1]
        for address in listener.addresses {
            let client = try RawClient(address.port, at: "\(address.host)")
            try client.send(RawClient.text(address.port, "GET", "/", ["Connection": "close"]))
            #expect(Reply(try await client.readToEnd()).status == 200)
        }
        #expect(await listener.responds())
        try #require(Self.listening(on: last).map { shutdown($0, Int32(SHUT_RDWR)) } == 0)
        let error = await #expect(throws: ServiceError.self) { try await running.value }
        #expect(error?.description.contains("127.0.0.2:\(last.port)") == true, "\(error as Any)")
    }

    @Test func `if one socket cannot be served, the others are closed`() async throws {
        let texts = ["127.0.0.1:0", "127.0.0.2:0"]
        let listener = try HTTPListener(try texts.map { try ListenAddress(parsing: $0) }, limits: .patient)
        let (first, last) = (listener.addresses[0], listener.addresses[1])
        // In the place of the second socket there is no socket.
        let file = try Descriptor(opening: "/dev/null", O_RDONLY)
        let descriptor = try #require(Self.listening(on: last))
        #expect(dup2(file.number, descriptor) == descriptor)
        let error = await #expect(throws: ServiceError.self) {
            try await listener.run { _ in Response(200, "ok\n") }
        }
        #expect(error?.kind == .system && error?.description.contains("\(last)") == true, "\(error as Any)")
        #expect(await !listener.responds())
        // A program that another test is starting has a copy of the socket until it runs.
        try await eventually { (try? RawClient(first.port)) == nil }
    }

    /// The descriptor that listens on an IPv4 address.
    private static func listening(on wanted: ListenAddress) -> Int32? {
        (0..<4096).first { descriptor in
            var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
            var (listens, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            let isNamed = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            return isNamed == 0 && address.sin_port == wanted.port.bigEndian
                && address.sin_addr.s_addr == inet_addr("\(wanted.host)")
                && getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens == 1
        }
    }

    @Test func `stopping does not wait for a request that never completes`() async throws {
        var limits = ServerLimits.patient
        limits.grace = .milliseconds(100)
        let listener = try HTTPListener([try ListenAddress(parsing: "127.0.0.1:0")], limits: limits)
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            try await listener.run { _ in
                request.yield()
                // A separate task is not cancelled with the connection.
                await Task { for await _ in ending {} }.value
                return Response(200, "ok\n")
            }
        }
        let client = try RawClient(listener.addresses[0].port)
        try client.send(RawClient.text(listener.addresses[0].port, "GET", "/"))
        for await _ in requests { break }
        listener.stop()
        #expect(try await !running.value)
        end.finish()
    }

    @Test func `connections that arrive while it stops are closed`() async throws {
        // Time does not pass: a connection that is not closed at once stays open.
        let time = TestClock().timeSource
        for _ in 0..<100 {
            let listener = try HTTPListener([try ListenAddress(parsing: "127.0.0.1:0")], limits: .patient, time: time)
            let port = listener.addresses[0].port
            let running = Task { try await listener.run { _ in Response(200, "ok\n") } }
            try await eventually { await listener.responds() }
            let clients = try await withThrowingTaskGroup(of: [RawClient].self) { group in
                for _ in 0..<2 { group.addTask { (0..<16).compactMap { _ in try? RawClient(port) } } }
                group.addTask {
                    listener.stop()
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(try await running.value)
            // A client whose handshake was not complete on the other side learns of the end when it sends.
            for client in clients {
                try? client.send(RawClient.text(port, "GET", "/"))
                _ = try? await client.readToEnd()
            }
        }
    }

    @Test func `a listener that is stopped before it runs ends at once`() async throws {
        let listener = try HTTPListener([try ListenAddress(parsing: "127.0.0.1:0")], limits: .patient)
        listener.stop()
        #expect(try await listener.run { _ in Response(200, "ok\n") })
    }

    @Test func `a listener without addresses opens no port, and runs until it is stopped`() async throws {
        let listener = try HTTPListener([], limits: .patient)
        let running = Task { try await listener.run { _ in Response(200, "ok\n") } }
        #expect(await listener.responds())
        listener.stop()
        #expect(try await running.value)
        #expect(await !listener.responds())
    }

    @Test func `a stopped listener does not respond`() async throws {
        let listener = try HTTPListener([try ListenAddress(parsing: "127.0.0.1:0")], limits: .patient)
        #expect(await !listener.responds())
        let running = Task { try await listener.run { _ in Response(200, "ok\n") } }
        #expect(try await RawClient.ask(listener.addresses[0].port, "GET", "/").status == 200)
        #expect(await listener.responds())
        listener.stop()
        #expect(try await running.value)
        #expect(await !listener.responds())
    }
}
