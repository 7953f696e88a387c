// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import TestSupport
import Testing

/// A real VictoriaMetrics on port 8428, and its query API.
final class SampleStore: Sendable {
    private let run: CommandRun
    private let namespace: NetworkNamespace

    /// One value at its time, in seconds since 1970.
    struct Sample {
        let time: Double
        let value: Double
    }

    init(in namespace: NetworkNamespace, _ place: Workplace) async throws {
        self.namespace = namespace
        try await namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
        }
        run = try await CommandRun.start(
            .init(path: "/usr/bin/victoria-metrics"),
            [
                "-storageDataPath=\(place.url.path)/store", "-httpListenAddr=:8428",
                // By default, a query does not show the last 30 s.
                "-search.latencyOffset=1ms",
            ], in: namespace)
        try await eventually { try await get("/health").hasPrefix("OK") }
    }

    private func get(_ target: String, _ fields: String...) async throws -> String {
        let options = fields.flatMap { ["--data-urlencode", $0] }
        return try await Tool.run(
            ["curl", "--silent", "--get", "http://127.0.0.1:8428\(target)"] + options, in: namespace
        ).text
    }

    /// The samples that a query returns now, in the order of time.
    func samples(_ query: String) async throws -> [Sample] {
        struct Answer: Decodable {
            let data: Content
            struct Content: Decodable { let result: [Series] }
            struct Series: Decodable {
                let value: [Number]?
                let values: [[Number]]?
            }
        }
        /// A number, or one in a string.
        struct Number: Decodable {
            let value: Double
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                value = try (try? container.decode(Double.self)) ?? Double(container.decode(String.self)) ?? .nan
            }
        }
        // The last samples are not visible yet.
        _ = try await get("/internal/force_flush")
        let text = try await get("/api/v1/query", "query=\(query)")
        let series = try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).data.result
        return series.flatMap { ($0.values ?? []) + [$0.value].compactMap(\.self) }
            .map { Sample(time: $0[0].value, value: $0[1].value) }.sorted { $0.time < $1.time }
    }

    /// Waits until a series has a sample of 1 that is later than a time.
    func waitUntilOne(_ series: String, after time: Double = 0) async throws {
        try await eventually(within: .seconds(120)) {
            try await samples("\(series)[10m]").contains { $0.value == 1 && $0.time > time }
        }
    }

    /// Ends the program.
    func stop() { run.terminate() }
}
#endif
