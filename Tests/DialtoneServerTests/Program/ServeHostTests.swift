// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneHistory
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// The hosts that `dialtone serve --host` watches, on the wire.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
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

    /// Waits until the object of a host meets a condition.
    private func row(
        _ serving: ServeLab.Serving, _ events: RawClient, _ name: String, _ condition: ([String: Any]) -> Bool
    ) async throws -> [String: Any] {
        while true {
            let body = try await serving.get("/api/hosts").body
            let rows = try #require(JSONSerialization.jsonObject(with: Data(body.utf8)) as? [[String: Any]])
            if let row = rows.first(where: { $0["name"] as? String == name }), condition(row) { return row }
            _ = try await events.read(until: "\n\n")
        }
    }

    private func names(_ serving: ServeLab.Serving) async throws -> [String] {
        let body = try await serving.get("/api/hosts").body
        let rows = try #require(JSONSerialization.jsonObject(with: Data(body.utf8)) as? [[String: Any]])
        return rows.compactMap { $0["name"] as? String }
    }

    private func stop(_ serving: ServeLab.Serving) async throws {
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
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
        let failed = try await wait(serving, events, "203.0.113.1:443", false, "Connection refused")
        #expect(try #require(failed["loss"] as? Double) > 0)
        let metrics = try await serving.get("/metrics").body
        let counted = try #require(
            metrics.firstMatch(of: /host_checks_total{host="203.0.113.1:443",result="failed"} (\d+)/))
        #expect(counted.1 != "0")
        let checks = try #require(failed["checks"] as? [[String: Any]])
        #expect(checks.first?["connectMilliseconds"] is Double && checks.last?["connectMilliseconds"] is NSNull)
        let page = try await serving.get("/").body
        #expect(page.contains("class=\"failed\" d=\"M") && !page.contains("Remove"), "\(page)")
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

        try await lab.network.setCable(connected: false)
        try await wait(serving, events, "203.0.113.1:80", false, "No carrier on up0")
        #expect(try await metric(serving, "203.0.113.1:80") == "0")
        try await lab.network.setCable(connected: true)
        try await wait(serving, events, "203.0.113.1:80", true)

        // The dead uplink changes nothing on this machine's links: the failing check provokes the connection. The router reports each
        // packet that it cannot forward, instead of one a second.
        try await lab.network.runInRouter { try Setting.write("ipv4/icmp_ratelimit", 0) }
        try lab.network.setUplink(up: false)
        try await wait(serving, events, "203.0.113.1:80", false)
        // On a busy machine, a check may take longer than the host's connection.
        try await eventually {
            let connectivity = try await serving.get("/api/status").object?["connectivity"] as? String
            return connectivity == "limited" || connectivity == "noInternet"
        }
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
        try await lab.network.setCable(connected: false)
        try await wait(serving, events, "203.0.113.1", false)
        #expect(try await metric(serving, "203.0.113.1") == "0")
        #expect(lab.internet.connections == 0)
        let passive = try await wait(serving, events, "203.0.113.1", false)
        #expect(passive["loss"] is NSNull && (passive["checks"] as? [Any])?.isEmpty == true)
        // Each outage of the path counts, although the Internet is never known to be reachable again.
        try await lab.network.setCable(connected: true)
        try await wait(serving, events, "203.0.113.1", nil)
        try await lab.network.setCable(connected: false)
        try await wait(serving, events, "203.0.113.1", false)
        while try await !serving.get("/metrics").body.contains("\ndialtone_outages_total 2\n") {
            _ = try await events.read(until: "\n\n")
        }
        let past = try #require(try await serving.get("/api/history").object)
        #expect(past["outageCount"] as? Int == 2)
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test func `the checks of the last day survive a restart`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let history = await HistoryStore.open(at: lab.directory)
        for index in 0..<99 {
            history.recordCheck(ofHost: "203.0.113.1:80", at: .wall - 7200, succeeded: index >= 50)
        }
        await history.close()
        /// The stored checks and at least one more.
        func isHalf(_ share: Any?) -> Bool { (0.4999...0.55).contains(share as? Double ?? 0) }
        var serving = try await lab.serveAtRest(["--host", "203.0.113.1:80"])
        var events = try await serving.events()
        _ = try await row(serving, events, "203.0.113.1:80") { isHalf($0["availability"]) }
        #expect(try await serving.get("/").body.contains(" % of 2 h</dd>"))
        // The check of this run is recorded, too.
        try await stop(serving)
        serving = try await lab.serveAtRest(["--passive", "--host", "203.0.113.1:80"])
        events = try await serving.events()
        _ = try await row(serving, events, "203.0.113.1:80") { isHalf($0["availability"]) }
        try await stop(serving)
    }

    /// An authority that the server trusts by the environment.
    private func trust(_ authority: TestAuthority, in lab: ServeLab) throws -> [String: String] {
        try FileManager.default.createDirectory(at: lab.directory, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: lab.directory.path)
        let file = lab.directory.appending(path: "authority.pem")
        try Data(authority.identity.certificate.utf8).write(to: file)
        return ["SSL_CERT_FILE": file.path]
    }

    @Test func `the days until a certificate expires are shown, for hosts with TLS`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let authority = try TestAuthority(named: "Hosts")
        let day = TestAuthority.day
        lab.internet.present(
            try authority.issue(names: [], addresses: ["203.0.113.1"], age: 0, lifetime: 12 * day - 3600))
        let serving = try await lab.serveAtRest(
            ["--host", "203.0.113.1", "--host", "203.0.113.1:80"], environment: trust(authority, in: lab))
        let events = try await serving.events()
        let secure = try await row(serving, events, "203.0.113.1") { $0["certificateExpiry"] is String }
        #expect(secure["reachable"] as? Bool == true && secure["certificateProblem"] is NSNull)
        #expect(try await wait(serving, events, "203.0.113.1:80", true)["certificateExpiry"] is NSNull)
        #expect(try await serving.get("/").body.contains("<dt>Certificate</dt><dd data-level=\"warn\">11 d</dd>"))
        let metrics = try await serving.get("/metrics").body
        let name = "dialtone_host_certificate_expiry_timestamp_seconds"
        #expect(
            metrics.contains("\n\(name){host=\"203.0.113.1\"} ")
                && !metrics.contains("\(name){host=\"203.0.113.1:80\"}"))
        try await stop(serving)
    }

    @Test func `a certificate that is not trusted is reported, and the host stays reachable`() async throws {
        let lab = try await ServeLab(.init(https: .untrusted))
        try await lab.network.join()
        let authority = try TestAuthority(named: "Hosts")
        let serving = try await lab.serveAtRest(["--host", "203.0.113.1"], environment: trust(authority, in: lab))
        let events = try await serving.events()
        let row = try await row(serving, events, "203.0.113.1") { $0["certificateProblem"] is String }
        #expect((row["certificateProblem"] as? String)?.hasPrefix("certificate not trusted") == true, "\(row)")
        #expect(row["reachable"] as? Bool == true && row["certificateExpiry"] is String)
        #expect(try await serving.get("/").body.contains("TLS: certificate not trusted"))
        try await stop(serving)
    }

    @Test func `a captive portal's certificate is not read in place of the host's`() async throws {
        let lab = try await ServeLab(.portal(.redirect, https: .untrusted))
        try await lab.network.join()
        let authority = try TestAuthority(named: "Hosts")
        lab.internet.present(try authority.issue(names: [], addresses: ["203.0.113.1"]))
        let serving = try await lab.serve(["--host-interval", "1"])
        let events = try await serving.events()
        let row = try await wait(serving, events, "203.0.113.1", nil, "login page")
        #expect(row["certificateProblem"] is NSNull && row["certificateExpiry"] is NSNull, "\(row)")
        lab.internet.play(.online)
        // The first certificate that is read is the host's.
        _ = try await self.row(serving, events, "203.0.113.1") { row in
            #expect((row["certificateProblem"] as? String)?.contains("self") != true)
            return row["certificateExpiry"] is String
        }
        try await stop(serving)
    }

    @Test(.requires(.mounts)) func `with --passive a host causes no packet`() async throws {
        let names = ScriptedResolver(otherwise: .addresses("203.0.113.1"))
        let lab = try await ServeLab()
        let server = try await lab.network.internet.run {
            try ScriptedNameServer(playing: names, address: "203.0.113.53")
        }
        let mounts = try await OwnMounts(nameServer: "203.0.113.53")
        try await lab.network.join()
        let serving = try await lab.serveAtRest(
            ["--passive", "--host", "configured.example", "--host-interval", "1"], among: mounts)
        let events = try await serving.events()
        try await wait(serving, events, "configured.example", nil, "no connection was tried")
        try await stop(serving)
        #expect(names.questions.isEmpty && lab.internet.connections == 0)
        withExtendedLifetime(server) {}
    }
}
#endif
