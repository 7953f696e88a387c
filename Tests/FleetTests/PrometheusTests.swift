// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// A real Prometheus that scrapes `dialtone serve`, and a real link that is disconnected.
@Suite(.requires(.networkNamespaces), .requires(.program("prometheus")))
struct PrometheusTests {
    /// The shipped configuration and rules, with short delays and an additional rule that reports the first scraped
    /// path.
    private static func configure(_ place: Workplace) throws -> String {
        let rules = try FleetFile.text("prometheus/dialtone.rules.yml").replacing(/for: \d+[mh]/, with: "for: 1s")
            .replacing("offset 30m", with: "offset 1s")
        let collected = """

              - name: collected
                rules:
                  - alert: CollectedPath
                    expr: dialtone_path_satisfied == 1

            """
        _ = try place.write(rules + collected, "dialtone.rules.yml")
        let configuration = try FleetFile.text("prometheus/prometheus.yml").replacing("15s", with: "1s")
        return try place.write(configuration, "prometheus.yml")
    }

    /// Runs each query of the dashboard, with its variables filled in.
    private static func queryDashboard(in namespace: NetworkNamespace) async throws {
        let queries = try FleetFile.dashboardQueries()
        var empty: [String] = []
        for query in queries {
            let outcome = try await Tool.run(
                [
                    "curl", "--silent", "--get", "http://127.0.0.1:9090/api/v1/query", "--data-urlencode",
                    "query=\(query)",
                ], in: namespace)
            #expect(outcome.text.contains(#""status":"success""#), "\(query): \(outcome.text)")
            if outcome.text.contains(#""result":[]"#) { empty.append(query) }
        }
        // The server is passive, watches no host, has no outage yet and sends no event.
        let absent = [
            "host_", "hop_", "events_", "cause", "latency", "outage", "errors:ratio", "state_seconds", "check_duration",
        ]
        for query in empty { #expect(absent.contains { query.contains($0) }, "no data: \(query)") }
        #expect(empty.count < queries.count)
    }

    @Test func `an alert fires when the cable is disconnected, and not before`() async throws {
        let lab = try RoutedLab()
        try await lab.join()
        let place = try Workplace()
        let alerts = try TestServer(in: lab.client, port: 9093) { _ in .respond(status: 200, body: "") }
        let serve = try await CommandRun.start(
            .dialtone,
            [
                "serve", "--passive", "--listen", "127.0.0.1:4780", "--data-dir",
                place.url.appending(path: "state").path,
            ],
            in: lab.client)
        let prometheus = try await CommandRun.start(
            .init(path: "/usr/bin/prometheus"),
            [
                "--config.file=\(try Self.configure(place))", "--storage.tsdb.path=\(place.url.path)/data",
                "--web.listen-address=127.0.0.1:9090", "--log.level=warn",
            ], in: lab.client)
        defer {
            serve.terminate()
            prometheus.terminate()
        }
        let first = try await alerts.requests.next(timeout: .seconds(120)) { $0.body.contains("CollectedPath") }
        #expect(first.path == "/api/v2/alerts")
        #expect(!alerts.requests.values.contains { $0.body.contains("DialtoneHostOffline") })
        try await Self.queryDashboard(in: lab.client)
        try await lab.setCable(connected: false)
        let alert = try await alerts.requests.next(timeout: .seconds(120)) { $0.body.contains("DialtoneHostOffline") }
        #expect(alert.body.contains("127.0.0.1:4780 has no Internet access: side machine"), "\(alert.body)")
        #expect(alert.body.contains("Side: machine, cause: noCarrier"), "\(alert.body)")
        prometheus.terminate()
        #expect(try await prometheus.exitStatus(timeout: .seconds(60)) == 0, "\(prometheus.errors.values)")
        #expect(prometheus.errors.values.allSatisfy { !$0.contains("scrape") }, "\(prometheus.errors.values)")
        serve.terminate()
        #expect(try await serve.exitStatus(timeout: .seconds(60)) == 0, "\(serve.errors.values)")
    }

    @Test(.requires(.program("prometheus-alertmanager")), .requires(.tunnels), .requires(.mounts))
    func `Alertmanager pages an outage of the provider, and reports one of the name server, each with its side`()
        async throws
    {
        let lab = try RoutedLab(wired: true)
        // The name server of the host, and one at a public address.
        let servers = try await lab.internet.run {
            (
                try ScriptedInternet(.online, address: "203.0.113.1", httpPort: 80),
                try ["203.0.113.53", "203.0.113.1"].map {
                    try ScriptedNameServer(
                        playing: ScriptedResolver(otherwise: .addresses("203.0.113.1")), address: $0)
                }
            )
        }
        defer { withExtendedLifetime(servers) {} }
        try await lab.join()
        let place = try Workplace()
        let pages = try TestServer(in: lab.client, port: 9999) { _ in .respond(status: 200, body: "") }
        let mounts = try await OwnMounts(nameServer: "203.0.113.53")
        let serve = try await CommandRun.start(
            mounts.program,
            mounts.arguments(
                .dialtone,
                [
                    "serve", "--listen", "127.0.0.1:4780", "--data-dir", place.url.appending(path: "state").path,
                    "--endpoint", "http://one.check.test/generate_204", "--public-address", "203.0.113.1",
                    "--interval", "2", "--timeout", "2",
                ]), in: lab.client)
        let prometheus = try await CommandRun.start(
            .init(path: "/usr/bin/prometheus"),
            [
                "--config.file=\(try Self.configure(place))", "--storage.tsdb.path=\(place.url.path)/data",
                "--web.listen-address=127.0.0.1:9090", "--log.level=warn",
            ], in: lab.client)
        let routes = """
            route: { receiver: pager, group_by: [alertname], group_wait: 0s, group_interval: 1s }
            receivers: [ { name: pager, webhook_configs: [ { url: "http://127.0.0.1:9999/" } ] } ]

            """
        let manager = try await CommandRun.start(
            .init(path: "/usr/bin/prometheus-alertmanager"),
            [
                "--config.file=\(try place.write(routes, "alertmanager.yml"))",
                "--storage.path=\(place.url.path)/alerts",
                "--web.listen-address=127.0.0.1:9093", "--cluster.listen-address=", "--log.level=warn",
            ], in: lab.client)
        defer { for run in [serve, prometheus, manager] { run.terminate() } }
        func page(_ status: String, _ alert: String) async throws -> String {
            try await pages.requests.next(timeout: .seconds(120)) {
                $0.body.contains(#""status":"\(status)","labels":{"alertname":"\(alert)""#)
            }.body
        }
        _ = try await page("firing", "CollectedPath")
        for (alert, words, fault) in [
            ("DialtoneHostOffline", "127.0.0.1:4780 has no Internet access: side provider", { @Sendable _ in .drop }),
            (
                "DialtoneLimited", "127.0.0.1:4780 has a path, but not the Internet: side nameServers",
                { @Sendable packet in packet.isOutward && packet.destination == "203.0.113.53" ? .drop : .pass }
            ),
        ] as [(String, String, Wire.Rule)] {
            lab.wires?.wan.play(fault)
            let sent = try await page("firing", alert)
            #expect(sent.contains(words), "\(sent)")
            lab.wires?.wan.play { _ in .pass }
            _ = try await page("resolved", alert)
        }
        serve.terminate()
        #expect(try await serve.exitStatus(timeout: .seconds(60)) == 0, "\(serve.errors.values)")
    }
}
#endif
