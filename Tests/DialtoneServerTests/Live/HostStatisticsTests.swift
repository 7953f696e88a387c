// SPDX-License-Identifier: Apache-2.0

import DialtoneHistory
import Foundation
import Testing

@testable import DialtoneAgent
@testable import DialtoneServer

struct HostStatisticsTests {
    private static let beginning = Date(timeIntervalSince1970: 1_800_000_000)

    /// Checks every half minute, with these latencies in milliseconds; nil for a failure.
    private func statistics(_ latencies: [Double?], every interval: Double = 30) -> HostStatistics {
        HostStatistics(
            latencies.enumerated().map { index, latency in
                .init(time: Self.beginning + Double(index) * interval, latency: latency.map { $0 / 1000 })
            })
    }

    @Test(
        arguments: [
            ([], nil, nil), ([10], 0, nil), ([nil], 1, nil), ([10, 10, 10], 0, 0), ([10, 30], 0, 20),
            // The differences are 20, 20 and 5.
            ([10, 30, 10, 15], 0, 15), ([10, nil, 30, nil], 0.5, 20), ([nil, nil, nil, 5], 0.75, nil),
        ] as [([Double?], Double?, Double?)])
    func `loss is the share of failures, and jitter the mean difference of successive latencies`(
        latencies: [Double?], loss: Double?, jitter: Double?
    ) {
        let statistics = statistics(latencies)
        #expect(statistics.loss == loss)
        #expect(statistics.jitter.map { ($0 * 1000).rounded() } == jitter)
    }

    @Test func `only the last checks are kept`() {
        let statistics = statistics(Array(repeating: nil, count: 100) + Array(repeating: 5, count: 40))
        #expect(statistics.recent.count == HostStatistics.recentLimit)
        #expect(statistics.loss == 0 && statistics.jitter == 0)
        #expect(statistics.succeeded == 40 && statistics.failed == 100)
        #expect(statistics.recent.last?.time == Self.beginning + 139 * 30)
    }

    /// Checks at an interval, of which every tenth fails, and the expected share and period at the last of them.
    @Test(
        arguments: [
            (9, 30, nil, 0), (10, 30, 0.9, 270), (100, 30, 0.9, 2970), (2880, 30, 0.9, 86_370),
            // Earlier checks do not count.
            (10_000, 30, 0.9, 86_400),
        ] as [(Int, Double, Double?, Double)])
    func `availability needs some checks, and covers at most a day`(
        count: Int, interval: Double, share: Double?, period: Double
    ) throws {
        let statistics = statistics((1...count).map { $0 % 10 == 0 ? nil : 5 }, every: interval)
        let now = Self.beginning + Double(count - 1) * interval
        let availability = statistics.availability(at: now)
        #expect(availability.map { ($0.share * 1000).rounded() / 1000 } == share)
        if let availability { #expect(availability.period == (period > 86_000 ? 86_400 : period)) }
    }

    @Test func `failures are forgotten after a day`() {
        let statistics = statistics(Array(repeating: nil, count: 100) + Array(repeating: 5, count: 3000))
        #expect(statistics.availability(at: Self.beginning + 3099 * 30)?.share == 1)
        #expect(statistics.availability(at: Self.beginning + 3099 * 30 + 100_000) == nil)
    }

    @Test func `the checks of earlier runs count for availability`() throws {
        var statistics = statistics(Array(repeating: 5, count: 10))
        statistics.add([
            HostPeriod(containing: Self.beginning - 7200, checks: 30),
            HostPeriod(containing: Self.beginning, checks: 10, succeeded: 10),
        ])
        let availability = try #require(statistics.availability(at: Self.beginning + 300))
        #expect(availability.share == 0.4)
        #expect(availability.period == 7500)
        #expect(statistics.recent.count == 10)
    }

    @Test func `a clock that is set back leaves no checks in the future`() throws {
        var statistics = statistics(Array(repeating: nil, count: 100))
        for index in 0..<10 { statistics.add(.init(time: Self.beginning - 50_000 + Double(index), latency: 0.01)) }
        #expect(statistics.availability(at: Self.beginning - 49_990)?.share == 1)
    }

    @Test(
        arguments: [
            ("example.com", true), ("example.com:443", true), ("example.com:22", false),
            ("https://example.com:8443", true),
            ("http://example.com", false), ("http://example.com:443", false), ("wss://example.com", true),
            ("192.0.2.1", true), ("[2001:db8::1]:853", false),
        ])
    func `a host has a certificate if its scheme is https or its port 443`(text: String, usesTLS: Bool) throws {
        #expect(try WatchedHost(text).usesTLS == usesTLS)
    }

    @Test(
        arguments: [
            (86_400 * 90.5, "90 d", nil), (86_400 * 13.5, "13 d", "warn"), (7260, "2 h", "warn"),
            (60, "under 1 h", "warn"),
            (-1, "expired", "bad"),
            (1e300, "1000000 d", nil),
        ] as [(Double, String, String?)])
    func `a certificate that expires soon is marked`(seconds: Double, text: String, level: String?) {
        let expiry = CertificateExpiry(Self.beginning + seconds, at: Self.beginning)
        #expect(expiry.text == text && expiry.level == level)
    }

    @Test func `there is one bar a check, and a failure has another shape`() {
        let html = HostBars(checks: statistics([10, 20, nil, 20]).recent).html.description
        #expect(html.contains("aria-label=\"The last 4 checks: 3 connected, in 10 ms to 20 ms; 1 failed\""), "\(html)")
        #expect(html.contains("class=\"connected\" d=\"M146 24v-14M150 24v-24M158 24v-24\""), "\(html)")
        #expect(html.contains("class=\"failed\" d=\"M154 24v-24\""), "\(html)")
        #expect(HostBars(checks: []).html.description.contains("No check yet"))
    }
}
