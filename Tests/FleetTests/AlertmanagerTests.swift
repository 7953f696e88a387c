// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// Real `dialtone serve`, Prometheus and Alertmanager through an outage of the provider and one of the name server.
@Suite(
    .requires(.networkNamespaces), .requires(.tunnels), .requires(.mounts), .requires(.program("prometheus")),
    .requires(.program("promtool")), .requires(.program("prometheus-alertmanager")))
struct AlertmanagerTests {
    /// A host with hours of samples, and one whose first sample is of this test.
    private static let (old, new) = ("127.0.0.1:4780", "127.0.0.1:4781")

    /// A notification of Alertmanager about one alert.
    private struct Notification: Decodable, Equatable {
        let status: String
        let alerts: [Alert]

        struct Alert: Decodable, Equatable {
            let labels: [String: String]
            let annotations: [String: String]
        }

        init(_ request: TestServer.Request) throws {
            self = try JSONDecoder().decode(Self.self, from: Data(request.body.utf8))
        }

        /// Such as `firing DialtoneHostOffline 127.0.0.1:4780`.
        var title: String {
            ([status] + alerts.flatMap { [$0.labels["alertname"] ?? "", $0.labels["instance"] ?? ""] })
                .joined(separator: " ")
        }

        /// The summary and the description.
        var words: [String] {
            alerts.flatMap { [$0.annotations["summary"] ?? "", $0.annotations["description"] ?? ""] }
        }
    }

    /// Writes the shipped files with two hosts, collected every 3 s.
    ///
    /// What must last for minutes or hours before it is reported lasts as many seconds or minutes. The half hour in which a host
    /// does not page stays.
    private static func configure(_ place: Workplace) throws -> String {
        let rules = try FleetFile.text("prometheus/dialtone.rules.yml")
            .replacing(/for: (\d+)m/) { "for: \($0.1)s" }.replacing(/for: (\d+)h/) { "for: \($0.1)m" }
        _ = try place.write(rules, "dialtone.rules.yml")
        let configuration = try FleetFile.text("prometheus/prometheus.yml").replacing("15s", with: "3s")
            .replacing(#"targets: ["\#(old)"]"#, with: #"targets: ["\#(old)", "\#(new)"]"#)
        return try place.write(configuration, "prometheus.yml")
    }

    /// Gives Prometheus the samples of a host that was online for twelve hours.
    private static func recordPast(of instance: String, _ place: Workplace) async throws {
        let end = Int(Date.wall.timeIntervalSince1970) - 60
        let labels = #"instance="\#(instance)",job="dialtone""#
        let lines = stride(from: end - 12 * 3600, through: end, by: 60).map { time in
            """
            up{\(labels)} 1 \(time)
            dialtone_path_satisfied{\(labels)} 1 \(time)
            dialtone_state_seconds_total{\(labels),state="online"} \(time - end + 12 * 3600) \(time)

            """
        }
        let samples = try place.write(lines.joined() + "# EOF\n", "past")
        let outcome = try await Tool.run(
            "promtool", "tsdb", "create-blocks-from", "openmetrics", samples, "\(place.url.path)/data")
        #expect(outcome.status == 0, "\(outcome.text)")
    }

    /// Starts Alertmanager, which sends each alert alone, pages to `/page` and tickets to `/ticket`.
    private static func startAlertmanager(in namespace: NetworkNamespace, _ place: Workplace) async throws -> CommandRun
    {
        let configuration = """
            route:
              receiver: page
              group_by: ["..."]
              group_wait: 0s
              group_interval: 1s
              routes: [{ matchers: [severity="ticket"], receiver: ticket }]
            receivers:
              - { name: page, webhook_configs: [{ url: "http://127.0.0.1:9999/page" }] }
              - { name: ticket, webhook_configs: [{ url: "http://127.0.0.1:9999/ticket" }] }

            """
        return try await CommandRun.start(
            .init(path: "/usr/bin/prometheus-alertmanager"),
            [
                "--config.file=\(try place.write(configuration, "alertmanager.yml"))",
                "--storage.path=\(place.url.path)/alerts", "--web.listen-address=127.0.0.1:9093",
                "--cluster.listen-address=", "--log.level=warn",
            ], in: namespace)
    }

    /// Starts `dialtone serve`, and waits until it has verified the Internet.
    private static func serve(
        _ address: String, in namespace: NetworkNamespace, _ mounts: OwnMounts, _ place: Workplace
    ) async throws -> CommandRun {
        let run = try await CommandRun.start(
            mounts.program,
            mounts.arguments(
                .dialtone,
                [
                    "serve", "--listen", address, "--data-dir", "\(place.url.path)/\(address)",
                    "--endpoint", "http://one.check.test/generate_204", "--public-address", "203.0.113.1",
                    "--interval", "2",
                ]), in: namespace)
        _ = try await run.output.next(timeout: .seconds(60)) { $0.hasPrefix("Serving on ") }
        return run
    }

    /// The series that a query returns, as JSON; empty if there is none, or Prometheus is not ready.
    private static func query(_ query: String, in namespace: NetworkNamespace) async throws -> String {
        let outcome = try await Tool.run(
            [
                "curl", "--silent", "--get", "http://127.0.0.1:9090/api/v1/query", "--data-urlencode", "query=\(query)",
            ], in: namespace)
        return outcome.text.firstMatch(of: /"result":\[(.*)\]/).map { String($0.1) } ?? ""
    }

    @Test
    func `an outage of the provider is paged once, one of the name server is a ticket, and a new host does not page`()
        async throws
    {
        let (lab, place) = (try RoutedLab(wired: true), try Workplace())
        // The name server of the hosts, and one at the address that receives heartbeats.
        let servers = try await lab.internet.run {
            (
                try ScriptedInternet(.online, address: "203.0.113.1", httpPort: 80, httpsPort: 443),
                try ["203.0.113.53", "203.0.113.1"].map {
                    try ScriptedNameServer(
                        playing: ScriptedResolver(otherwise: .addresses("203.0.113.1")), address: $0)
                }
            )
        }
        defer { withExtendedLifetime(servers) {} }
        let wan = try #require(lab.wires).wan
        // Without a default route the router would report that most of the Internet is unreachable.
        try await lab.runInRouter {
            var kernel = try RouteNetlink()
            try kernel.addRoute(NewRoute(.all(.ipv4), interface: kernel.link(named: "wan0").index))
        }
        try await lab.join()
        let receiver = try TestServer(in: lab.client, port: 9999) { _ in .respond(status: 200, body: "") }
        let mounts = try await OwnMounts(nameServer: "203.0.113.53")
        let hosts = [
            try await Self.serve(Self.old, in: lab.client, mounts, place),
            try await Self.serve(Self.new, in: lab.client, mounts, place),
        ]
        try await Self.recordPast(of: Self.old, place)
        let alertmanager = try await Self.startAlertmanager(in: lab.client, place)
        let prometheus = try await CommandRun.start(
            .init(path: "/usr/bin/prometheus"),
            [
                "--config.file=\(try Self.configure(place))", "--storage.tsdb.path=\(place.url.path)/data",
                "--web.listen-address=127.0.0.1:9090", "--log.level=warn",
            ], in: lab.client)
        defer { for run in hosts + [prometheus, alertmanager] { run.terminate() } }
        func holds(_ query: String) async throws {
            try await eventually(within: .seconds(120)) { try await !Self.query(query, in: lab.client).isEmpty }
        }
        let bothAreOnline = #"sum(dialtone_connectivity_state{state="online"}) == 2"#
        func notification(_ title: String) async throws -> [String] {
            let request = try await receiver.requests.next(timeout: .seconds(120)) {
                (try? Notification($0))?.title == title
            }
            return try Notification(request).words
        }
        try await holds(bothAreOnline)

        wan.play { _ in .drop }
        #expect(
            try await notification("firing DialtoneHostOffline \(Self.old)") == [
                "\(Self.old) has no Internet access: side provider",
                """
                The host can be reached from here, and cannot reach the Internet. Side: provider, cause: provider \
                (docs/causes.md).
                """,
            ])
        // By then, a rule that pages for new hosts as well would have fired.
        let outage = #"dialtone_connectivity_state{instance="\#(Self.new)",state="noInternet"}[10s]"#
        try await holds("count_over_time(\(outage)) >= 3 and min_over_time(\(outage)) == 1")
        wan.play { _ in .pass }
        _ = try await notification("resolved DialtoneHostOffline \(Self.old)")
        try await holds(bothAreOnline)

        wan.play { $0.isOutward && $0.destination == "203.0.113.53" ? .drop : .pass }
        #expect(
            try await notification("firing DialtoneLimited \(Self.old)") == [
                "\(Self.old) has a path, but not the Internet: side nameServers",
                "Side: nameServers, cause: dnsSilent (docs/causes.md). `dialtone check` on the host shows the evidence.",
            ])
        wan.play { _ in .pass }
        _ = try await notification("resolved DialtoneLimited \(Self.old)")

        let pages = try receiver.requests.values.filter { $0.path == "/page" }.map { try Notification($0).title }
        #expect(pages == ["firing DialtoneHostOffline \(Self.old)", "resolved DialtoneHostOffline \(Self.old)"])
        let tickets = try receiver.requests.values.filter { $0.path == "/ticket" }.map { try Notification($0).title }
        #expect(
            tickets.filter { $0.hasSuffix(" DialtoneLimited \(Self.old)") } == [
                "firing DialtoneLimited \(Self.old)", "resolved DialtoneLimited \(Self.old)",
            ])
        for run in hosts {
            run.terminate()
            #expect(try await run.exitStatus() == 0, "\(run.errors.values)")
        }
    }
}
#endif
