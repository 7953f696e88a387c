// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CTestSupport
import Foundation
import Netlink
public import NetlinkTesting
import Synchronization
import SystemSupport

/// A small HTTP server for tests, with one thread and one request for each connection, and scripted answers.
public final class TestServer: Sendable {
    /// A client's request.
    public struct Request: Hashable, Sendable {
        /// The method, such as `GET`.
        public let method: String
        /// The path, such as `/status`.
        public let path: String
        /// The body, as text.
        public let body: String
    }

    /// The answer to a request.
    public enum Answer: Hashable, Sendable {
        /// A complete response.
        case respond(status: Int, body: String, headers: [String: String] = [:])
        /// The start of a response, after which the connection is closed.
        case dropMidBody
        /// Closing the connection without a response.
        case hangUp
        /// No answer before `release()`; then status 200.
        case hold
        /// The start of a body, which continues when `release()` is called.
        case stream
    }

    /// Every request, once it has been read.
    public let requests = Recorder<Request>()
    /// The port.
    public let port: UInt16

    private let connections: Connections
    private let listener: Descriptor

    /// Listens as long as this object lives.
    ///
    /// - Parameters:
    ///   - namespace: the network namespace.
    ///   - port: the port.
    ///   - answer: decides the answer to each request.
    public init(
        in namespace: NetworkNamespace, port: UInt16 = 80, answer: @escaping @Sendable (Request) -> Answer
    ) throws {
        self.port = port
        connections = Connections(answer, requests)
        listener = try namespace.run {
            let listener = Descriptor(socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
            var yes: Int32 = 1
            setsockopt(listener.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0, listen(listener.number, 4096) == 0 else { throw POSIXError(.EADDRINUSE) }
            return listener
        }
        // The thread does not retain the server, whose end it would otherwise prevent.
        Thread.detachNewThread { [listener, connections] in
            Thread.current.name = "accept \(port)"
            while true {
                let connection = CTest_accept(listener.number)
                if connection < 0 && errno != EINTR && errno != ECONNABORTED { return }
                if connection >= 0 { Thread.detachNewThread { connections.serve(connection) } }
            }
        }
    }

    deinit {
        // Ends the thread's accept(2) with EINVAL.
        shutdown(listener.number, Int32(SHUT_RDWR))
        connections.stop()
    }

    /// The maximum number of requests that were being answered at the same time.
    public var mostAtOnce: Int { connections.mostAtOnce }

    /// Answers the held requests.
    public func release() { connections.release() }
}

/// Answers the requests, on a thread for each connection.
private final class Connections: Sendable {
    typealias Request = TestServer.Request

    private struct State {
        var running = 0
        var most = 0
        var isReleased = false
        var isStopped = false
    }

    private let answer: @Sendable (Request) -> TestServer.Answer
    private let requests: Recorder<Request>
    private let state = Mutex(State())
    private let gate = NSCondition()

    init(_ answer: @escaping @Sendable (Request) -> TestServer.Answer, _ requests: Recorder<Request>) {
        self.answer = answer
        self.requests = requests
    }

    var mostAtOnce: Int { state.withLock { $0.most } }

    func release() { open { $0.isReleased = true } }

    /// Closes the connections whose requests are held.
    func stop() { open { $0.isStopped = true } }

    private func open(_ change: (inout State) -> Void) {
        gate.lock()
        state.withLock { change(&$0) }
        gate.broadcast()
        gate.unlock()
    }

    func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = read(connection) else { return }
        state.withLock { state in
            state.running += 1
            state.most = max(state.most, state.running)
        }
        requests.record(request)
        let answer = answer(request)
        if answer == .stream {
            write(connection, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: first\n\n")
        }
        if answer == .hold || answer == .stream { waitForRelease() }
        // The count must not include a request that has been answered already.
        state.withLock { $0.running -= 1 }
        switch answer {
        case .respond(let status, let body, let headers): respond(connection, status, body, headers)
        case .hold where state.withLock({ $0.isReleased }): respond(connection, 200, "released", [:])
        case .dropMidBody: write(connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly the beginning")
        case .hold, .hangUp, .stream: break
        }
        shutdown(connection, Int32(SHUT_WR))
        // Let the client read to the end before the connection is closed.
        var rest = [UInt8](repeating: 0, count: 1024)
        while recv(connection, &rest, rest.count, 0) > 0 {}
    }

    private func waitForRelease() {
        gate.lock()
        while !state.withLock({ $0.isReleased || $0.isStopped }) { gate.wait() }
        gate.unlock()
    }

    private func read(_ connection: Int32) -> Request? {
        var bytes = Data()
        var chunk = [UInt8](repeating: 0, count: 4096)
        let end = Data("\r\n\r\n".utf8)
        while bytes.range(of: end) == nil {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
        }
        guard let head = bytes.range(of: end) else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        var body = Data(bytes[head.upperBound...])
        while body.count < length ?? 0 {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            body += chunk[..<count]
        }
        return Request(method: String(words[0]), path: String(words[1]), body: String(decoding: body, as: UTF8.self))
    }

    private func respond(_ connection: Int32, _ status: Int, _ body: String, _ headers: [String: String]) {
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        write(
            connection,
            "HTTP/1.1 \(status) Status\r\nConnection: close\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
    }

    private func write(_ connection: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            offset += count
        }
    }
}
#endif
