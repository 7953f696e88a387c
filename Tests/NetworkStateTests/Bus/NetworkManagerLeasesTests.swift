// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CTestSupport
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Netlink
@testable import NetworkState
import SystemSupport

/// The leases of NetworkManager, from a bus under the test's control.
@Suite(.real, .timeLimit(.minutes(5)))
struct NetworkManagerLeasesTests {
    private static let lease = ["ip_address": "192.0.2.7", "expiry": "1795200000", "default_url": "https://a.test/"]

    /// A NetworkManager with a wired connection, a bridge without DHCP, and a connection that disappears.
    private static func answer(_ member: String?, at path: String?, _ arguments: [String]) -> BusEncoder.Value? {
        switch (member, path, arguments.last) {
        case ("Hello", _, _): .text(":1.77")
        case ("Get", "/org/freedesktop/NetworkManager", "ActiveConnections"):
            .variant(.array("o", [.path("/active/1"), .path("/active/2"), .path("/active/3")]))
        case ("Get", "/active/1", "Dhcp4Config"): .variant(.path("/lease/1"))
        case ("Get", "/active/2", "Dhcp4Config"): .variant(.path("/"))
        case ("Get", "/lease/1", "Options"):
            .variant(
                .array(
                    "{sv}",
                    lease.sorted { $0.key < $1.key }.map { .entry(.text($0.key), .variant(.text($0.value))) }
                        + [.entry(.text("a number"), .variant(.number(1)))]))
        default: nil
        }
    }

    private static func reply(to serial: UInt32, _ value: BusEncoder.Value?) -> [UInt8] {
        guard let value else { return BusMessage.encoded(.error, answers: serial, .text("no")) }
        return BusMessage.encoded(.reply, answers: serial, value)
    }

    @Test func `the options of the active connections' leases are read`() throws {
        var exchange = LeaseExchange()
        var rounds = 0
        while !exchange.isComplete, rounds < 10 {
            rounds += 1
            for (serial, call) in exchange.dequeueCalls() {
                let value = Self.answer(call.member, at: call.path, call.arguments)
                try exchange.handle(BusMessage(Self.reply(to: serial, value)[...]))
            }
        }
        #expect(exchange.isComplete)
        #expect(exchange.leases == [Self.lease])
    }

    @Test func `unexpected replies are ignored, and the number of connections is limited`() throws {
        var exchange = LeaseExchange()
        let calls = exchange.dequeueCalls()
        try exchange.handle(BusMessage(Self.reply(to: 99, .text("x"))[...]))
        #expect(!exchange.isComplete)
        let many = BusEncoder.Value.variant(.array("o", (0..<1000).map { .path("/active/\($0)") }))
        try exchange.handle(BusMessage(Self.reply(to: calls[1].serial, many)[...]))
        let connections = exchange.dequeueCalls()
        #expect(connections.count == 64)
        for call in connections {
            try exchange.handle(BusMessage(Self.reply(to: call.serial, .variant(.number(7)))[...]))
        }
        #expect(exchange.dequeueCalls().isEmpty)
        #expect(throws: BusError.refused) {
            try exchange.handle(BusMessage(Self.reply(to: calls[0].serial, nil)[...]))
        }
    }

    /// Runs `body` with the path of a bus that serves one client: it authenticates it, and answers its calls or only those before
    /// the leases.
    private func withBus<Value>(answersLeases: Bool, _ body: (BusAddress) throws -> Value) throws -> Value {
        var template = Array("/tmp/dialtone-bus-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let path = folder + "/socket"
        defer {
            unlink(path)
            rmdir(folder)
        }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0 && listen(listener, 1) == 0)
        let done = DispatchGroup()
        DispatchQueue.global().async(group: done) {
            let client = CTest_accept(listener)
            defer { close(client) }
            try? Self.serve(client, answersLeases: answersLeases)
        }
        defer {
            shutdown(listener, Int32(SHUT_RDWR))
            done.wait()
            close(listener)
        }
        return try body(BusAddress(path: path))
    }

    private static func serve(_ client: Int32, answersLeases: Bool) throws {
        var inbox: [UInt8] = []
        var isAuthenticated = false
        while true {
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            inbox += buffer.prefix(count)
            if !isAuthenticated {
                guard inbox.last == UInt8(ascii: "\n") else { continue }
                isAuthenticated = true
                inbox = []
                send(client, "OK 0123\r\n")
                continue
            }
            var rest = inbox[...]
            if rest.starts(with: "BEGIN\r\n".utf8) { rest = rest.dropFirst("BEGIN\r\n".utf8.count) }
            while let length = try BusMessage.length(rest), length <= rest.count {
                let call = try BusMessage(rest.prefix(length))
                let serial = Array(rest)[8...11].reversed().reduce(0) { $0 << 8 | UInt32($1) }
                rest = rest.dropFirst(length)
                let arguments = call.body.compactMap(\.text)
                guard answersLeases || arguments.last != "Options" else { continue }
                // Two pieces, so that the client must put them together.
                let bytes = reply(to: serial, answer(call.member, at: call.path, arguments))
                send(client, bytes.prefix(9))
                send(client, bytes.dropFirst(9))
            }
            inbox = Array(rest)
        }
    }

    private static func send(_ client: Int32, _ text: String) { send(client, Array(text.utf8)[...]) }

    private static func send(_ client: Int32, _ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    @Test func `the leases are read over a socket`() throws {
        let leases = try withBus(answersLeases: true) { NetworkManagerLeases.current($0, within: 60) }
        #expect(leases == [Self.lease])
    }

    @Test func `a NetworkManager that does not answer is not waited for`() throws {
        // The bus never answers, and does not close the connection.
        let leases = try withBus(answersLeases: false) { NetworkManagerLeases.current($0, within: 0.1) }
        #expect(leases.isEmpty)
    }

    @Test func `without a bus there are no leases`() {
        #expect(NetworkManagerLeases.current(BusAddress(path: "/nowhere/at/all"), within: 60).isEmpty)
        #expect(NetworkManagerLeases.current(nil, within: 60).isEmpty)
    }
}
#endif
