// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

extension Capability {
    /// nginx, with TLS.
    fileprivate static let nginx = Capability("nginx") {
        guard FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx") else {
            throw CocoaError(.fileNoSuchFile)
        }
    }
}

/// `dialtone serve --notify-url`, with nginx as the collector, across an outage.
@Suite(.requires(.networkNamespaces), .requires(.nginx), .timeLimit(.minutes(5)))
final class ServeEventTests {
    private static let token = "a-token-of-the-collector"
    private let folder: URL
    private let authority: TestAuthority

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-events-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        authority = try TestAuthority(named: "Test Authority")
        try write(authority.identity.certificate, to: "authority.pem")
        try write(Self.token + "\n", to: "token")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
    }

    private func write(_ identity: Identity, _ name: String) throws {
        try write(identity.certificate, to: "\(name).pem")
        try write(identity.key, to: "\(name).key")
    }

    /// Starts nginx in the Internet: with a good certificate on port 8443, with that of another host on port 8444.
    private func startCollector(_ lab: ServeLab) async throws -> CommandRun {
        try write(try authority.issue(names: [], addresses: ["203.0.113.1"]), "good")
        try write(try authority.issue(names: ["elsewhere.test"]), "misnamed")
        func server(_ port: Int, _ identity: String) -> String {
            """
            server {
                listen 203.0.113.1:\(port) ssl;
                ssl_certificate \(path(identity)).pem;
                ssl_certificate_key \(path(identity)).key;
                location / {
                    if ($http_authorization != "Bearer \(Self.token)") { return 401; }
                    if ($content_type !~ "^application/cloudevents-batch\\+json") { return 415; }
                    access_log \(path("events.log")) body;
                    proxy_pass http://unix:\(path("socket"));
                }
            }
            """
        }
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path($0));" }
        try write(
            """
            pid \(path("nginx.pid"));
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            events {}
            http {
                \(places.joined(separator: "\n"))
                access_log off;
                client_body_buffer_size 1m;
                log_format body escape=json '"$request_body"';
                server { listen unix:\(path("socket")); location / { return 204; } }
                \(server(8443, "good"))
                \(server(8444, "misnamed"))
            }
            """, to: "nginx.conf")
        let nginx = CommandRun.Program(path: "/usr/sbin/nginx")
        let arguments = ["-e", path("error.log"), "-c", path("nginx.conf")]
        let run = try await CommandRun.start(nginx, arguments, in: lab.network.internet)
        try await eventually { FileManager.default.fileExists(atPath: path("socket")) }
        return run
    }

    /// The events that the collector has received, in order.
    private func events() throws -> [[String: Any]] {
        let text = (try? String(contentsOfFile: path("events.log"), encoding: .utf8)) ?? ""
        return try text.split(separator: "\n").flatMap { line in
            let body = try JSONDecoder().decode(String.self, from: Data(line.utf8))
            return try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [[String: Any]])
        }
    }

    private func data(_ event: [String: Any]) -> [String: Any] { event["data"] as? [String: Any] ?? [:] }

    private func states() throws -> [String] {
        try events().filter { $0["type"] as? String == "io.github.dialtone.transition" }
            .compactMap { data($0)["state"] as? String }
    }

    private func metric(_ serving: ServeLab.Serving, _ name: String) async throws -> Int? {
        let lines = try await serving.get("/metrics").body.split(separator: "\n")
        return lines.first { $0.hasPrefix("dialtone_\(name) ") }?.split(separator: " ").last.flatMap { Int($0) }
    }

    private func serve(_ lab: ServeLab, _ url: String) async throws -> ServeLab.Serving {
        try write("{\"notify-url\": \"\(url)\", \"notify-token-file\": \"\(path("token"))\"}", to: "config.json")
        return try await lab.serveAtRest(
            ["--config", path("config.json"), "--host", "203.0.113.1:80", "--host-interval", "1"],
            environment: ["SSL_CERT_FILE": path("authority.pem")])
    }

    @Test func `an outage reaches the collector afterwards, with its times, even if the server was killed in it`()
        async throws
    {
        let lab = try await ServeLab()
        try await lab.network.join()
        let collector = try await startCollector(lab)
        var serving = try await serve(lab, "https://203.0.113.1:8443/events")
        try await eventually { try states().last == "online" }
        try await eventually { try await metric(serving, "events_pending") == 0 }
        try await eventually { try events().contains { data($0)["reachable"] as? Bool == true } }

        try await lab.network.setCable(connected: false)
        let cut = Date.wall
        try await eventually { try await metric(serving, "events_pending").map { $0 > 0 } ?? false }
        _ = try await serving.command.errors.next { $0.contains("state=offline") }
        kill(serving.command.identifier, SIGKILL)
        _ = try await serving.command.exitStatus()
        serving = try await serve(lab, "https://203.0.113.1:8443/events")
        // Until this run has recorded the outage, too.
        _ = try await serving.command.errors.next { $0.contains("state=offline") }
        try await eventually { try await serving.get("/api/hosts").body.contains("\"reachable\":false") }
        #expect(try states().last == "online")

        try await lab.network.setCable(connected: true)
        try await eventually { try states().last == "online" && states().contains("offline") }
        let offline = try #require(try events().first { data($0)["state"] as? String == "offline" })
        let time = try Date(
            try #require(offline["time"] as? String),
            strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        #expect(abs(time.timeIntervalSince(cut)) < 20)
        #expect(data(offline)["cause"] as? String == "noCarrier")
        #expect(try states().contains("notWatching"))
        try await eventually { try events().contains { data($0)["reachable"] as? Bool == false } }
        try await eventually { try events().compactMap { data($0)["reachable"] as? Bool }.last == true }
        try await eventually { try await metric(serving, "events_pending") == 0 }
        #expect(try await metric(serving, "events_acknowledged_total").map { $0 > 0 } == true)
        #expect(try await metric(serving, "events_lost_total") == 0)

        // At rest nothing more is sent: the next event is the next change.
        let size = try events().count
        try await lab.network.setCable(connected: false)
        try await eventually { try await metric(serving, "events_pending").map { $0 > 0 } ?? false }
        try await lab.network.setCable(connected: true)
        try await eventually { try events().count > size }
        let next = data(try events()[size])
        #expect(next["state"] as? String == "offline" || next["reachable"] as? Bool == false, "\(next)")
        for run in [serving.command, collector] {
            run.terminate()
            #expect(try await run.exitStatus() == 0)
        }
    }

    @Test func `another host's certificate gets no event, and a reload corrects the URL`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let collector = try await startCollector(lab)
        let serving = try await serve(lab, "https://203.0.113.1:8444/events")
        let warning = try await serving.command.errors.next { $0.contains("events are not delivered") }
        #expect(warning.contains("level=warning") && warning.contains("wrongCertificateName"), "\(warning)")
        #expect(try await metric(serving, "event_delivery_failures_total").map { $0 > 0 } == true)
        // The page and the history are not delayed.
        try await lab.network.setCable(connected: false)
        _ = try await serving.command.errors.next { $0.contains("state=offline") }
        // The log comes first.
        try await eventually {
            try await serving.get("/api/status").body.contains("\"connectivity\":\"offline\"")
        }
        try await lab.network.setCable(connected: true)
        _ = try await serving.command.errors.next { $0.contains("state=online") }
        #expect(try events().isEmpty)
        try write(
            "{\"notify-url\": \"https://203.0.113.1:8443/\", \"notify-token-file\": \"\(path("token"))\"}",
            to: "config.json")
        kill(serving.command.identifier, SIGHUP)
        _ = try await serving.command.errors.next { $0.contains("events are delivered again") }
        try await eventually { try states().contains("offline") && states().last == "online" }
        for run in [serving.command, collector] {
            run.terminate()
            #expect(try await run.exitStatus() == 0)
        }
    }

    @Test(arguments: [
        (
            ["--notify-url", "http://collector.example/"],
            "--notify-url: 'http://collector.example/' must be an https URL"
        ),
        (["--notify-url", "https://127.0.0.1/", "--passive"], "--notify-url: sends packets, which --passive forbids"),
        (["--notify-token-file", "/dev/null"], "--notify-token-file: the token is sent to a collector"),
    ]) func `settings that cannot work are usage errors`(arguments: [String], words: String) async throws {
        let run = try CommandRun(.dialtone, ["serve", "--config", "/dev/null"] + arguments)
        #expect(try await run.exitStatus() == 64)
        #expect(run.errors.values.first?.contains(words) == true, "\(run.errors.values)")
    }
}
#endif
