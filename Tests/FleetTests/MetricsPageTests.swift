// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Dialtone
@testable import DialtoneAgent
@testable import DialtoneHistory
@testable import DialtoneServer

struct MetricsPageTests {
    static var snapshot: MetricsSnapshot {
        var counters = MetricsCounters(at: 0)
        counters.count(MetricsCountersTests.silence(10, 14))
        var sequence = TransitionSequence()
        counters.add([(1, .online, nil), (61, .offline, .machine)], &sequence)
        counters.check(.verified, duration: 0.03)
        counters.check(.noInternet, duration: 12)
        counters.advance(to: 71.5)
        let link = NetworkPath.Interface(name: "we\"ird\\\n}0", index: 2, type: .wifi)
        let path = NetworkPath(
            status: .unsatisfied, diagnosis: PathDiagnosis(.noCarrier, interface: link), interfaces: [link])
        let check = InternetCheck.Report(
            verdict: .verified, checkedAt: .init(timeIntervalSince1970: 1_800_000_000),
            endpoints: [
                .init(
                    url: "https://a.test/", .passed, status: 204,
                    durations: .init(resolve: .milliseconds(9), total: .milliseconds(12)))
            ])
        let connectivity = Connectivity(
            state: .offline, path: path, since: Date(timeIntervalSince1970: 1_800_000_000.25))
        return MetricsSnapshot(
            version: "0.1.0", live: LiveState(connectivity: connectivity, hosts: Self.hosts), counters: counters,
            lastCheck: check, history: HistoryStatus(problem: .diskFull, waiting: 3),
            hops: HopMinute(
                start: .sample, hops: [.beyond: HopStatistics([.milliseconds(20), .milliseconds(30), nil, nil])]),
            coverage: HeartbeatCoverage(shortest: 12, limit: .silentRouter),
            delivery: (4, .init(acknowledged: 20, failures: 2, lost: 1)), hookRuns: ["succeeded": 5, "failed": 6],
            eventStreams: 2)
    }

    private static var hosts: [HostRow] {
        ["nas.lan:445", "b", "https://c:443"].compactMap { try? WatchedHost($0) }.map { host in
            var row = HostRow(host: host, since: .sample)
            var report = HostReport(target: host.target, route: HostStep(.success(HostRoute()), .zero), port: 443)
            switch host.name {
            case "nas.lan:445":
                report.connection = HostStep(.success(NetworkAddress(192, 0, 2, 1)), .milliseconds(4))
                row.checkedAt = Date(timeIntervalSince1970: 1_800_000_001)
                row.certificate = ServerCertificate(expiry: Date(timeIntervalSince1970: 1_800_086_400))
                row.statistics = HostStatistics((0..<120).map { .init(time: .sample, latency: $0 < 117 ? 0.004 : nil) })
            case "b": return row
            default: report.connection = HostStep(.failure(HostError(.timedOut)), .seconds(5))
            }
            row.report = report
            return row
        }
    }

    @Test func `the page`() {
        let page = Self.snapshot.page
        for lines in [
            "# HELP dialtone_build_info The program.\n# TYPE dialtone_build_info gauge\ndialtone_build_info{version=\"0.1.0\"} 1\n",
            "# TYPE dialtone_connectivity_state gauge\ndialtone_connectivity_state{state=\"online\"} 0\n",
            "dialtone_connectivity_state{state=\"offline\"} 1\n",
            "dialtone_connectivity_state_since_timestamp_seconds 1800000000.25\n",
            "# TYPE dialtone_connectivity_cause_info gauge\ndialtone_connectivity_cause_info{cause=\"noCarrier\",fault=\"machine\"} 1\n# HELP",
            "dialtone_path_satisfied 0\n", "dialtone_last_check_https_verified 1\n",
            #"dialtone_path_interface_info{interface="we\"ird\\\n}0",type="wifi"} 1"# + "\n",
            "# TYPE dialtone_transitions_total counter\ndialtone_transitions_total 2\n",
            "dialtone_outages_total 1\n",
            "# TYPE dialtone_outage_seconds_total counter\n",
            "dialtone_outage_seconds_total{fault=\"machine\"} 10.5\n",
            "dialtone_outage_seconds_total{fault=\"provider\"} 0\n",
            "dialtone_outage_seconds_total{fault=\"unknown\"} 0\n",
            "dialtone_drops_total 1\n", "dialtone_drop_seconds_total 4\n",
            "dialtone_state_seconds_total{state=\"unknown\"} 1\n",
            "dialtone_state_seconds_total{state=\"online\"} 60\n",
            "dialtone_checks_total{verdict=\"verified\"} 1\n",
            "dialtone_check_duration_seconds_bucket{le=\"0.025\"} 0\n",
            "dialtone_check_duration_seconds_bucket{le=\"0.05\"} 1\n",
            "dialtone_check_duration_seconds_bucket{le=\"10.0\"} 1\n",
            "dialtone_check_duration_seconds_bucket{le=\"+Inf\"} 2\n",
            "dialtone_check_duration_seconds_count 2\n",
            "# TYPE dialtone_hop_loss_ratio gauge\ndialtone_hop_loss_ratio{hop=\"beyond\"} 0.5\n",
            "dialtone_hop_round_trip_seconds{hop=\"beyond\"} 0.02\n",
            "dialtone_host_reachable{host=\"nas.lan:445\"} 1\n"
                + "dialtone_host_reachable{host=\"https://c:443\"} 0\n# HELP",
            "# TYPE dialtone_host_checks_total counter\ndialtone_host_checks_total{host=\"nas.lan:445\",result=\"succeeded\"} 117\n"
                + "dialtone_host_checks_total{host=\"nas.lan:445\",result=\"failed\"} 3\n",
            "dialtone_host_checks_total{host=\"b\",result=\"failed\"} 0\n",
            "dialtone_host_connect_duration_seconds{host=\"nas.lan:445\"} 0.004\n# HELP",
            "dialtone_host_last_check_timestamp_seconds{host=\"nas.lan:445\"} 1800000001\n# HELP",
            "dialtone_host_certificate_expiry_timestamp_seconds{host=\"nas.lan:445\"} 1800086400\n# HELP",
            "dialtone_history_healthy 0\n", "dialtone_history_waiting_records 3\n",
            "dialtone_events_pending 4\n", "dialtone_events_acknowledged_total 20\n", "dialtone_events_lost_total 1\n",
            "dialtone_event_delivery_failures_total 2\n",
            "dialtone_hook_runs_total{result=\"failed\"} 6\ndialtone_hook_runs_total{result=\"succeeded\"} 5\n",
        ] {
            #expect(page.contains(lines), "\(lines)")
        }
        #expect(page.hasSuffix("\ndialtone_event_streams 2\n"))
        #expect(!page.contains("notWatching"))
    }

    @Test func `each family occurs once, and each sample follows its family`() {
        var families: Set<Substring> = []
        var current: Substring = ""
        for line in Self.snapshot.page.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix("# HELP") {
                #expect(families.insert(words[2]).inserted)
                current = words[2]
            } else if line.hasPrefix("#") {
                #expect(words[2] == current)
            } else {
                #expect(line.hasPrefix(current))
            }
        }
        #expect(families.count > 10)
    }

    @Test func `docs/fleet.md has the number of series`() throws {
        var snapshot = Self.snapshot
        let link = NetworkPath.Interface(name: "eth0", index: 2, type: .wiredEthernet)
        let path = NetworkPath(status: .satisfied, interfaces: [link])
        snapshot.live = LiveState(connectivity: Connectivity(state: .online, path: path, since: .sample))
        snapshot.hops = nil
        snapshot.coverage = nil
        snapshot.delivery = nil
        snapshot.hookRuns = ["skipped": 0, "succeeded": 0, "failed": 0, "timedOut": 0, "refused": 0]
        let own = snapshot.page.split(separator: "\n").count { !$0.hasPrefix("#") }
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/fleet.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let line = "| series | \(own + 3 * 5 + 6): \(own) of the server, 5 for each watched host"
        #expect(text.contains(line), "\(line)")
    }

    @Test(.requires(.program("promtool")))
    func `promtool reports no problems`() async throws {
        let place = try Workplace()
        let file = try place.write(Self.snapshot.page, "page")
        let outcome = try await Tool.run("sh", "-c", "promtool check metrics < '\(file)'")
        #expect(outcome.status == 0)
        #expect(outcome.text == "")
    }
}

extension MetricsCounters {
    /// Counts the transitions among values that are seen at these times.
    mutating func add(
        _ seen: [(Double, ConnectivityState, ConnectivityFault?)], isPassive: Bool = false,
        _ sequence: inout TransitionSequence
    ) {
        for (second, state, fault) in seen {
            let cause = isPassive && state == .unverified ? ConnectivityCause.notChecked : nil
            let value = Transition(state: state, cause: cause, fault: fault, time: .distantPast, uptime: second)
            if let transition = sequence.next(value) { count(transition) }
        }
    }
}

struct MetricsCountersTests {
    @Test func `an outage is counted at its start and lasts until the Internet answers`() {
        var counters = MetricsCounters(at: 0)
        var sequence = TransitionSequence()
        counters.add(
            [
                (1, .online, nil), (2, .offline, .machine), (3, .unverified, nil), (4, .limited, nil),
                (5, .limited, .provider), (7, .online, nil), (8, .online, nil), (9, .captivePortal, .portal),
                (10, .online, nil),
            ], &sequence)
        counters.advance(to: 12)
        #expect(counters.outages == 2)
        #expect(counters.transitions == 7)
        // A short doubt belongs to the outage, and is counted at its end.
        #expect(counters.outageSeconds == [.machine: 1, nil: 1, .provider: 3, .portal: 1])
        #expect(counters.seconds.values.reduce(0, +) == 12)
        #expect(counters.seconds[.online] == 5)
    }

    /// - Parameter later: the state five seconds after the first value after the sleep.
    @Test(arguments: [.noInternet, .limited] as [ConnectivityState])
    func `an outage before a sleep and the one after it are counted once, in one transition or in two`(
        later: ConnectivityState
    ) {
        var counters = MetricsCounters(at: 0)
        var sequence = TransitionSequence()
        let states: [(Double, ConnectivityState)] = [
            (0, .online), (10, .noInternet), (100, .noInternet), (105, later), (110, .online),
        ]
        for (second, state) in states {
            let value = Connectivity(state: state, path: NetworkPath(status: .satisfied), since: .sample + second)
            let awake = second < 100 ? second : second - 60
            let moment = TimeSource.Moment(
                boottime: .seconds(second), monotonic: .seconds(awake), realtime: .sample + second)
            if let transition = sequence.next(value, at: moment) { counters.count(transition) }
        }
        // 30 s before it, and 10 s after it.
        #expect(counters.outages == 2 && counters.outageSeconds.values.reduce(0, +) == 40)
    }

    static func silence(_ start: Double, _ end: Double, isDrop: Bool = true) -> Silence {
        Silence(
            earliestStart: .sample + start - 5, start: .sample + start, earliestEnd: .sample + end - 1,
            end: .sample + end, isDrop: isDrop, counts: [])
    }

    @Test func `a drop is counted unless it is explained, or an outage meets it`() {
        var counters = MetricsCounters(at: 0)
        var sequence = TransitionSequence()
        for (second, state) in [(1.0, ConnectivityState.online), (20, .noInternet), (30, .online), (70, .noInternet)] {
            let seen = Transition(state: state, time: .sample + second, earliest: .sample + second - 5, uptime: second)
            if let transition = sequence.next(seen) { counters.count(transition) }
        }
        for silence in [
            Self.silence(5, 8), Self.silence(10, 12, isDrop: false), Self.silence(12, 16), Self.silence(19, 30),
            Self.silence(50, 56.5), Self.silence(62, 66),
        ] { counters.count(silence) }
        #expect(counters.drops == 2 && counters.dropSeconds == 9.5)
    }

    @Test func `without checks, a path ends an outage`() {
        var counters = MetricsCounters(at: 0)
        var sequence = TransitionSequence(isPassive: true)
        counters.add(
            [
                (1, .unverified, nil), (2, .offline, nil), (3, .unverified, nil), (4, .unknown, nil),
                (5, .offline, nil), (6, .unknown, nil), (7, .offline, nil), (8, .unverified, nil),
            ], isPassive: true, &sequence)
        counters.advance(to: 10)
        #expect(counters.outages == 2)
        #expect(counters.outageSeconds == [nil: 4])
    }

    @Test func `a clock that goes back adds nothing`() {
        var counters = MetricsCounters(at: 10)
        counters.advance(to: 5)
        #expect(counters.seconds.isEmpty)
        counters.advance(to: 12)
        #expect(counters.seconds == [.unknown: 2])
    }

    @Test func `durations are counted in buckets`() {
        var histogram = MetricsHistogram()
        for value in [0.5, 1, 1.5, 7, 12] { histogram.observe(value) }
        #expect(histogram.counts == [0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1] && histogram.count == 5)
        #expect(histogram.sum == 22)
    }
}
