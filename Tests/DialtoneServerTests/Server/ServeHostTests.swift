// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// The hosts that `dialtone serve --host` watches, on the wire.
@Suite(.requires(.networkNamespaces))
struct ServeHostTests {
    /// Waits until the host with a name is reachable (true), not reachable (false) or unknown (nil) for a reason.
    ///
    /// - Returns: its object.
    @discardableResult
    private func wait(
        _ serving: ServeLab.Serving, _ events: RawClient, _ name: String, _ isReachable: Bool?, _ reason: String = ""
    ) async throws -> [String: Any] {
        while true {
            let body = try await serving.get("/api/hosts").body
            let rows = try #require(JSONSerialization.jsonObject(with: Data(body.utf8)) as? [[String: Any]])
            let row = try #require(rows.first { $0["name"] as? String == name }, "\(body)")
            let words = row["reason"] as? String ?? ""
            if row["reachable"] as? Bool == isReachable, reason.isEmpty || words.contains(reason) { return row }
            _ = try await events.read(until: "\n\n")
        }
    }

    /// Waits until the flags of a host are known.
    private func flags(
        _ serving: ServeLab.Serving, _ events: RawClient, _ name: String
    ) async throws -> (text: String, raw: Int) {
        while true {
            let body = try await serving.get("/api/hosts").body
            let rows = try #require(JSONSerialization.jsonObject(with: Data(body.utf8)) as? [[String: Any]])
            let row = try #require(rows.first { $0["name"] as? String == name }, "\(body)")
            if let text = row["flags"] as? String, let raw = row["rawFlags"] as? Int { return (text, raw) }
            _ = try await events.read(until: "\n\n")
        }
    }

    private func metric(_ serving: ServeLab.Serving, _ name: String) async throws -> String? {
        let lines = try await serving.get("/metrics").body.split(separator: "\n")
        return lines.first { $0.hasPrefix("dialtone_host_reachable{host=\"\(name)\"} ") }?.split(separator: " ").last
            .map(String.init)
    }

    @Test func `a host is reachable only if it accepts a connection to its port`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let expected: [(text: String, name: String, port: Int, isReachable: Bool)] = [
            ("203.0.113.1", "203.0.113.1", 443, true), ("203.0.113.1:80", "203.0.113.1:80", 80, true),
            ("http://u:secret@203.0.113.1/x", "http://203.0.113.1:80", 80, true),
            // Nothing listens on this port, and there is no such host.
            ("203.0.113.1:81", "203.0.113.1:81", 81, false), ("203.0.113.99", "203.0.113.99", 443, false),
        ]
        let serving = try await lab.serveAtRest(expected.flatMap { ["--host", $0.text] })
        let events = try await serving.events()
        for host in expected {
            let row = try await wait(serving, events, host.name, host.isReachable)
            #expect(row["port"] as? Int == host.port)
            #expect((row["connectMilliseconds"] as? Double != nil) == host.isReachable)
            // The flags are those of the route, which leads to all of them.
            let routed = try await flags(serving, events, host.name)
            #expect(routed.text == "-R -------" && routed.raw == 2)
            #expect(try await metric(serving, host.name) == (host.isReachable ? "1" : "0"))
        }
        let page = try await serving.get("/metrics").body
        #expect(!page.contains("secret"))
        for family in ["host_connect_duration_seconds", "host_last_check_timestamp_seconds"] {
            #expect(page.contains("\ndialtone_\(family){host=\"203.0.113.1\"} "), "\(page)")
        }
        #expect(try await serving.get("/").body.contains("Port 443 answered in "))
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test func `a host that stops accepting connections is noticed after the interval, without an event`() async throws
    {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serveAtRest(["--host", "203.0.113.1:443", "--host-interval", "1"])
        let events = try await serving.events()
        try await wait(serving, events, "203.0.113.1:443", true)
        lab.internet.play(.init(https: .closed))
        try await wait(serving, events, "203.0.113.1:443", false, "Connection refused")
        lab.internet.play(.online)
        try await wait(serving, events, "203.0.113.1:443", true)
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test func `behind a broken hop a host is never reachable`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        // The hosts alone would be checked again after an hour.
        let serving = try await lab.serve(["--host", "203.0.113.1:80", "--host-interval", "3600"])
        let events = try await serving.events()
        try await wait(serving, events, "203.0.113.1:80", true)

        try lab.network.setCable(connected: false)
        try await wait(serving, events, "203.0.113.1:80", false, "No carrier on up0")
        #expect(try await metric(serving, "203.0.113.1:80") == "0")
        try lab.network.setCable(connected: true)
        try await wait(serving, events, "203.0.113.1:80", true)

        // The dead uplink changes nothing on this machine's links: the failing check provokes the connection.
        try lab.network.setUplink(up: false)
        try await wait(serving, events, "203.0.113.1:80", false)
        #expect(try #require(try await serving.get("/api/status").object)["connectivity"] as? String == "limited")
        try lab.network.setUplink(up: true)
        try await wait(serving, events, "203.0.113.1:80", true)

        // The portal accepts connections in the host's place.
        lab.internet.play(.portal(.redirect))
        try await wait(serving, events, "203.0.113.1:80", nil, "login page")
        #expect(try await metric(serving, "203.0.113.1:80") == nil)
        lab.internet.play(.online)
        try await wait(serving, events, "203.0.113.1:80", true)
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test func `with --passive nothing is sent, and a route proves nothing`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serveAtRest(["--passive", "--host", "203.0.113.1", "--host-interval", "1"])
        let events = try await serving.events()
        try await wait(serving, events, "203.0.113.1", nil, "There is a route to it")
        #expect(try await metric(serving, "203.0.113.1") == nil)
        try lab.network.setCable(connected: false)
        try await wait(serving, events, "203.0.113.1", false)
        #expect(try await metric(serving, "203.0.113.1") == "0")
        #expect(lab.internet.connections == 0)
        // Each outage of the path counts, although the Internet is never known to be reachable again.
        try lab.network.setCable(connected: true)
        try await wait(serving, events, "203.0.113.1", nil)
        try lab.network.setCable(connected: false)
        try await wait(serving, events, "203.0.113.1", false)
        while try await !serving.get("/metrics").body.contains("\ndialtone_outages_total 2\n") {
            _ = try await events.read(until: "\n\n")
        }
        let past = try #require(try await serving.get("/api/history").object)
        #expect(past["outageCount"] as? Int == 2)
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }
}
#endif
