// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
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
}
#endif
