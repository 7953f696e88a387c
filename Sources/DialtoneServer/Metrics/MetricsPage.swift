// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory

/// The page `/metrics`, for Prometheus and other OpenMetrics collectors.
///
/// Every name begins with `dialtone_`. Names and labels are stable: new ones may be added, existing ones never change.
struct MetricsPage: Hashable, Sendable {
    let format: MetricsFormat
    let text: String

    init(_ snapshot: MetricsSnapshot, format: MetricsFormat) {
        self.format = format
        var text = ""
        for family in snapshot.families { family.write(to: &text, format) }
        // In the older format, this is a comment.
        self.text = text + "# EOF\n"
    }
}

extension MetricsSnapshot {
    fileprivate typealias Sample = MetricFamily.Sample

    /// The metrics, in the order of the page.
    fileprivate var families: [MetricFamily] {
        [
            MetricFamily(
                name: "build", kind: .info, help: "The program.",
                samples: [Sample(labels: [("version", version)], value: 1)]),
            MetricFamily(
                name: "connectivity_state", kind: .gauge, help: "1 for the current state, 0 for the others.",
                samples: watchedStates.map { Sample(labels: [("state", $0.rawValue)], value: $0 == state ? 1 : 0) }),
            gauge("connectivity_state_since_timestamp_seconds", "When the current state began.", stateSince),
            MetricFamily(
                name: "connectivity_cause", kind: .info, help: "Why this machine is not online.",
                samples: cause.map {
                    [Sample(labels: [("cause", $0.rawValue), ("fault", fault?.rawValue ?? "unknown")], value: 1)]
                } ?? []),
            gauge("path_satisfied", "Whether there is a path.", isPathSatisfied ? 1 : 0),
            MetricFamily(
                name: "path_interface", kind: .info, help: "The preferred interface.",
                samples: interface.map { [Sample(labels: [("interface", $0.name), ("type", $0.type)], value: 1)] } ?? []
            ),
            counter("transitions", "Changes of the state, the interface or the login page.", counters.transitions),
            counter("outages", "Outages that began.", counters.outages),
            MetricFamily(
                name: "outage_seconds", kind: .counter, help: "Time without the Internet.",
                samples: (ConnectivityFault.allCases.filter { $0 != .host } + [nil]).map { fault in
                    Sample(
                        labels: [("fault", fault?.rawValue ?? "unknown")],
                        value: counters.outageSeconds[fault, default: 0])
                }),
            counter("drops", "Drops: silences beyond the router that no check concluded in.", counters.drops),
            MetricFamily(
                name: "drop_seconds", kind: .counter, help: "Time in drops.",
                samples: [Sample(value: counters.dropSeconds)]),
            MetricFamily(
                name: "state_seconds", kind: .counter, help: "Time in each state.",
                samples: watchedStates.map {
                    Sample(labels: [("state", $0.rawValue)], value: counters.seconds[$0, default: 0])
                }),
            MetricFamily(
                name: "checks", kind: .counter, help: "Checks of the Internet, by verdict.",
                samples: CheckRecord.Verdict.allCases.map {
                    Sample(labels: [("verdict", $0.rawValue)], value: Double(counters.checks[$0, default: 0]))
                }),
            MetricFamily(
                name: "check_duration_seconds", kind: .histogram,
                help: "Duration of checks of the Internet.", samples: counters.checkDurations.samples),
            gauge("last_check_timestamp_seconds", "When the last check began.", lastCheck),
            gauge(
                "last_check_https_verified", "Whether the last check proved the Internet over HTTPS.",
                isHTTPSVerified.map { $0 ? 1 : 0 }),
            gauge("last_check_latency_seconds", "The fastest answer in the last check.", lastLatency),
            MetricFamily(
                name: "host_reachable", kind: .gauge, help: "Whether a watched host accepts connections.",
                samples: hostSamples { $0.isReachable.map { $0 ? 1 : 0 } }),
            MetricFamily(
                name: "host_checks", kind: .counter, help: "Checks of a watched host, by result.",
                samples: hosts.flatMap { host in
                    [("succeeded", host.succeeded), ("failed", host.failed)].map { result, count in
                        Sample(labels: [("host", host.name), ("result", result)], value: Double(count))
                    }
                }),
            MetricFamily(
                name: "host_connect_duration_seconds", kind: .gauge,
                help: "Duration of the last connection to a watched host, if it succeeded.",
                samples: hostSamples(\.connectSeconds)),
            MetricFamily(
                name: "host_last_check_timestamp_seconds", kind: .gauge,
                help: "When the last check of a watched host ended.", samples: hostSamples(\.lastCheck)),
            MetricFamily(
                name: "host_certificate_expiry_timestamp_seconds", kind: .gauge,
                help: "Until when the certificate of a watched host is valid.",
                samples: hostSamples(\.certificateExpiry)),
            MetricFamily(
                name: "hop_loss_ratio", kind: .gauge,
                help: "The share of packets to a hop that were not answered in the last minute.",
                samples: hopSamples(\.loss)),
            MetricFamily(
                name: "hop_round_trip_seconds", kind: .gauge,
                help: "The median round trip to a hop in the last minute.",
                samples: hopSamples(\.seconds.median)),
            MetricFamily(
                name: "shortest_noticed_outage_seconds", kind: .gauge,
                help: "The shortest outage that is always noticed, and why it is not shorter.",
                samples: coverage.map { coverage in
                    [Sample(labels: [("limit", coverage.limit?.rawValue ?? "none")], value: coverage.shortest)]
                } ?? []),
            gauge("history_healthy", "Whether the history is written to disk.", isHistoryHealthy ? 1 : 0),
            gauge("history_waiting_records", "Records that wait for the disk.", Double(waitingRecords)),
            counter(
                "history_discarded_records", "Records dropped because too many waited for the disk.", discardedRecords),
            gauge(
                "events_pending", "Events that no collector has acknowledged.", (delivery?.pending).map(Double.init)),
            counter(
                "events_acknowledged", "Events that a collector has acknowledged.", delivery?.counts.acknowledged),
            counter(
                "event_delivery_failures", "Requests with events that were not acknowledged.",
                delivery?.counts.failures),
            counter(
                "events_lost", "Events that the history removed before they were acknowledged.",
                delivery?.counts.lost),
            counter(
                "events_refused", "Events set aside because the collector refused each of them.",
                delivery?.counts.refused),
            MetricFamily(
                name: "hook_runs", kind: .counter,
                help: "Hooks that ended, by result; skipped counts transitions without hooks.",
                samples: hookRuns.sorted { $0.key < $1.key }.map { result, count in
                    Sample(labels: [("result", result)], value: Double(count))
                }),
            counter("login_failures", "Wrong tokens.", loginFailures),
            gauge("event_streams", "Open event streams.", eventStreams.map(Double.init)),
        ]
    }

    private func hopSamples(_ value: (HopStatistics) -> Double?) -> [Sample] {
        HeartbeatHop.allCases.compactMap { hop in
            hops?.hops[hop].flatMap(value).map { Sample(labels: [("hop", hop.rawValue)], value: $0) }
        }
    }

    private func hostSamples(_ value: (Host) -> Double?) -> [Sample] {
        hosts.compactMap { host in value(host).map { Sample(labels: [("host", host.name)], value: $0) } }
    }

    /// The states without the unwatched ones: while the server reports metrics, it is watching.
    private var watchedStates: [HistoryState] { HistoryState.allCases.filter(\.isWatched) }

    /// A gauge that is absent without a value.
    private func gauge(_ name: String, _ help: String, _ value: Double?) -> MetricFamily {
        MetricFamily(name: name, kind: .gauge, help: help, samples: value.map { [Sample(value: $0)] } ?? [])
    }

    /// A counter that is absent without a value.
    private func counter(_ name: String, _ help: String, _ value: Int?) -> MetricFamily {
        MetricFamily(
            name: name, kind: .counter, help: help, samples: value.map { [Sample(value: Double($0))] } ?? [])
    }
}

/// The values of all metrics at one moment.
struct MetricsSnapshot: Hashable, Sendable {
    /// The reachability of a host.
    struct Host: Hashable, Sendable {
        /// The host as configured.
        var name: String
        /// Whether the host is reachable; nil if unknown.
        var isReachable: Bool?
        var succeeded = 0
        var failed = 0
        /// The duration of the last connection in seconds; nil unless it succeeded.
        var connectSeconds: Double?
        /// The end of the last check, in seconds since 1970; nil before the first.
        var lastCheck: Double?
        /// The end of the certificate's validity, in seconds since 1970; nil if unknown.
        var certificateExpiry: Double?
    }

    var version: String
    var state: HistoryState
    /// The start of the state, in seconds since 1970; nil if unknown.
    var stateSince: Double?
    /// Why this machine is not online; nil while it is.
    var cause: ConnectivityCause?
    /// The place of the fault; nil if it is not known.
    var fault: ConnectivityFault?
    var isPathSatisfied: Bool
    /// The preferred interface and the type of its underlying interface, as in the JSON report; nil without one.
    var interface: Interface?
    /// The counters, advanced to this moment.
    var counters: MetricsCounters
    /// The start of the last check, in seconds since 1970; nil before the first.
    var lastCheck: Double?
    /// The latency of the fastest endpoint in the last check, in seconds; nil without one.
    var lastLatency: Double?
    /// Whether the last check proved the Internet over HTTPS; nil before the first and without evidence.
    var isHTTPSVerified: Bool?
    var hosts: [Host] = []
    /// Whether the history is being written to disk.
    var isHistoryHealthy = true
    /// The number of records waiting in memory.
    var waitingRecords = 0
    /// The number of event streams; nil to omit it.
    var eventStreams: Int?
    var loginFailures = 0
    /// The last minute of the heartbeat; nil without one.
    var hops: HopMinute?
    /// The outages that are always noticed; nil without a heartbeat.
    var coverage: HeartbeatCoverage?
    /// The delivery of events; nil without a collector.
    var delivery: Delivery?
    /// The number of hooks that ended, by result.
    var hookRuns: [String: Int] = [:]
    /// The number of records dropped because too many were waiting.
    var discardedRecords = 0

    /// The delivery of events to a collector.
    struct Delivery: Hashable, Sendable {
        var pending: Int
        var counts: EventSender.Counts
    }

    /// The preferred interface's name and type.
    struct Interface: Hashable, Sendable {
        var name: String
        var type: String
    }
}

extension MetricsSnapshot {
    /// The values of a state and of the counts up to now.
    init(
        _ live: LiveState, _ counters: MetricsCounters, lastCheck check: InternetCheck.Report?, history: HistoryStatus,
        version: String
    ) {
        let connectivity = live.connectivity
        self.init(
            version: version, state: HistoryState(connectivity.state),
            stateSince: connectivity.since.timeIntervalSince1970, cause: connectivity.cause, fault: connectivity.fault,
            isPathSatisfied: connectivity.path.status == .satisfied,
            interface: connectivity.path.interfaces.first.map { .init(name: $0.name, type: $0.type.reportName) },
            counters: counters, lastCheck: check?.checkedAt.timeIntervalSince1970,
            lastLatency: check.flatMap { CheckRecord($0).latency }, isHTTPSVerified: check?.tls.map { $0 == .verified },
            hosts: live.hosts.map { row in
                let verdict = row.result(in: connectivity).verdict
                return .init(
                    name: row.host.name, isReachable: verdict == .unknown ? nil : verdict == .reachable,
                    succeeded: row.statistics.succeeded, failed: row.statistics.failed,
                    connectSeconds: row.connectDuration.map { $0 / .seconds(1) },
                    lastCheck: row.checkedAt?.timeIntervalSince1970,
                    certificateExpiry: row.certificate?.expiry?.timeIntervalSince1970)
            },
            isHistoryHealthy: history.isHealthy, waitingRecords: history.waiting, discardedRecords: history.discarded)
    }
}
