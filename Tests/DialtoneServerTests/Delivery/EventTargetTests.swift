// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import Dialtone
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import DialtoneHistory
@testable import DialtoneAgent
@testable import DialtoneServer

/// Requests to a collector, whatever it answers.
struct EventTargetTests {
    /// A server that sends bytes again and again to each client, until the client closes the connection.
    private final class Collector: Sendable {
        let port: UInt16
        private let listener: Int32

        init(sending text: String, again isEndless: Bool) throws {
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(number, pointer, size) == 0 && listen(number, 16) == 0
                        && getsockname(number, pointer, &size) == 0
                }
            }
            guard result else { throw POSIXError(.EADDRINUSE) }
            (listener, port) = (number, UInt16(bigEndian: address.sin_port))
            Thread.detachNewThread { [listener] in
                while case let connection = accept(listener, nil, nil), connection >= 0 {
                    var request = [UInt8](repeating: 0, count: 65_536)
                    _ = recv(connection, &request, request.count, 0)
                    let bytes = Array(text.utf8)
                    repeat {
                    } while send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0 && isEndless
                    close(connection)
                }
            }
        }

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    private static let endless = "HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 10_000)

    @Test(
        .real,
        arguments: [
            ("HTTP/1.1 204 No Content\r\n\r\n", false, "acknowledged"),
            ("HTTP/1.1 202 Accepted\r\nContent-Length: 100000\r\n\r\nabc", true, "acknowledged"),
            ("HTTP/1.1 500 Oops\r\n\r\n", false, "the collector answered with status 500"),
            (
                "HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:1/\r\n\r\n", false,
                "the collector answered with status 307"
            ),
            ("HTTP/1.1 100 Continue\r\n\r\n", true, "header section is too large"),
            ("garbage\r\n", true, "this is not HTTP"),
            (endless, true, "header section is too large"), ("", false, "ended before the response did"),
        ]) func `only a status from 200 to 299 is an acknowledgement`(text: String, isEndless: Bool, expected: String)
        async throws
    {
        let collector = try Collector(sending: text, again: isEndless)
        let target = try EventTarget("http://127.0.0.1:\(collector.port)/")
        let result = await target.send(Array("[]".utf8), proxies: .bypass)
        #expect((result.problem ?? "acknowledged").contains(expected), "\(result)")
    }

    @Test(
        .real,
        arguments: [
            ("7", 7.0), ("4294967296", 4_294_967_296), (String(repeating: "9", count: 400), .infinity), ("-1", nil),
            ("1.5", nil), ("soon", nil), ("", nil), ("Tue, 20 Jan 2026 08:30:00 GMT", nil),
        ])
    func `Retry-After is a number of seconds`(field: String, delay: Double?)
        async throws
    {
        let text = """
            HTTP/1.1 429 Too Many Requests\r\nDate: Tue, 20 Jan 2026 08:28:30 GMT\r\nRetry-After: \(field)\r\n\r\n
            """
        let collector = try Collector(sending: text, again: false)
        let target = try EventTarget("http://localhost:\(collector.port)/")
        let result = await target.send(Array("[]".utf8), proxies: .bypass)
        #expect(result == .refused(status: 429, retryAfter: delay))
    }

    @Test(.real) func `a collector that accepts connections and does not answer costs the time limit`() async throws {
        let silent = try TCPListener("127.0.0.1")
        let target = try EventTarget("http://127.0.0.1:\(silent.port)/")
        let result = await target.send(
            [UInt8](repeating: 0x20, count: 1 << 20), proxies: .bypass, within: .milliseconds(300))
        #expect(
            result.problem?.contains("timed out") == true || result.problem?.contains("timedOut") == true, "\(result)")
        withExtendedLifetime(silent) {}
    }

    @Test(.real) func `a certificate that the system does not trust gets nothing`() async throws {
        let internet = try ScriptedInternet()
        let result = await (try EventTarget(internet.https + "/events", token: "secret")).send([], proxies: .bypass)
        guard case .failed = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test(arguments: [
        ("http://collector.example/", "must be an https URL"),
        ("ftp://collector.example/", "must be an http or https URL"),
        ("https://user:secret@collector.example/", "the URL must not contain a user or a password"),
        ("", "must be an http"),
        ("http://127.0.0.1.example/", "must be an https URL"),
    ]) func `a URL that would send the events in the clear is refused`(url: String, words: String) {
        let error = #expect(throws: ServiceError.self) { try EventTarget(url) }
        #expect(error?.description.contains(words) == true && error?.description.contains("secret") == false)
    }

    @Test(arguments: ["", "two words", "line\u{7F}", "ümlaut"]) func `a token that is no header field is refused`(
        token: String
    ) {
        let error = #expect(throws: ServiceError.self) { try EventTarget("https://collector.example/", token: token) }
        #expect(error?.kind == .token)
    }
}

/// The JSON of events.
struct CloudEventsTests {
    @Test func `a transition and a host, as CloudEvents`() throws {
        let time = Date(timeIntervalSince1970: 1_800_000_000.25)
        var transition = HistoryTransition(
            time: time, state: .offline, cause: HistoryCause(rawValue: "noCarrier"), interfaceName: "eth0",
            interfaceType: "wiredEthernet", fault: .machine, number: 5)
        transition.previous = .online
        let change = HostChange(time: time, host: "example.com:22", isReachable: false, reason: "No route.")
        let batch = EventBatch(
            "b0f0", after: EventCursor(transition: 6, host: 2), [.init(number: 7, content: .transition(transition))],
            [.init(number: 3, content: .host(change))], limit: 100)
        let text = String(decoding: try CloudEvents.body(batch, machine: "host1"), as: UTF8.self)
        #expect(
            text == """
                [{"data":{"cause":"noCarrier","earliest":null,"fault":"machine","interface":"eth0","interfaceType":"wiredEthernet",\
                "outages":[],"previous":"online","reason":"No carrier on eth0: is the cable in?","state":"offline","transition":5},\
                "datacontenttype":"application/json",\
                "id":"t7-1800000000250","machine":"host1","source":"urn:uuid:b0f0","specversion":"1.0",\
                "time":"2027-01-15T08:00:00.250Z","type":"io.github.dialtone.transition"},\
                {"data":{"host":"example.com:22","reachable":false,"reason":"No route."},"datacontenttype":"application/json",\
                "id":"h3-1800000000250","machine":"host1","source":"urn:uuid:b0f0","specversion":"1.0",\
                "subject":"example.com:22","time":"2027-01-15T08:00:00.250Z","type":"io.github.dialtone.host"}]
                """)
    }

    @Test func `the end of an outage has its final side, its margins and its phases`() throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        var transition = HistoryTransition(time: start + 50, state: .online)
        transition.outages = [
            Outage(
                start: start, earliestStart: start - 5, end: start + 50, earliestEnd: start + 49, milliseconds: 50_000,
                record: StateRecord(
                    .noInternet, cause: .routerRestarted, reason: "The router restarted.", fault: .router))
        ]
        let batch = EventBatch(
            "b0f0", after: EventCursor(transition: 6, host: 2), [.init(number: 7, content: .transition(transition))],
            [],
            limit: 100)
        let text = String(decoding: try CloudEvents.body(batch, machine: "host1"), as: UTF8.self)
        #expect(
            text.contains(
                """
                "outages":[{"cause":"routerRestarted","earliestFrom":"2027-01-15T07:59:55.000Z",\
                "earliestTo":"2027-01-15T08:00:49.000Z","ending":"recovered","fault":"router","from":"2027-01-15T08:00:00.000Z",\
                "interface":null,"interfaceType":null,"mayHaveBegunEarlier":true,"nextInterface":null,"phases":[],\
                "reason":"The router restarted.","seconds":50,"state":"noInternet","to":"2027-01-15T08:00:50.000Z"}],
                """), "\(text)")
    }

    @Test func `the largest request is less than a megabyte`() throws {
        let long = String(repeating: "\u{1}", count: 10_000)
        let change = HostChange(time: .sample, host: long, isReachable: false, reason: long)
        let events = (1...Int64(DeliveryMachine.mostEvents)).map { HistoryEvent(number: $0, content: .host(change)) }
        let body = try CloudEvents.body(
            EventBatch("b0f0", after: EventCursor(transition: 0, host: 0), [], events, limit: .max), machine: "host1")
        #expect(body.count < 1_000_000)
    }
}
#endif
