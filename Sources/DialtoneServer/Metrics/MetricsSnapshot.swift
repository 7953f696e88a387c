// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory

/// The sources of the metrics, at one moment.
struct MetricsSnapshot {
    var version: String
    var live: LiveState
    /// Advanced to this moment.
    var counters: MetricsCounters
    var lastCheck: InternetCheck.Report?
    var history: HistoryStatus
    /// The last minute of the heartbeat; nil without one.
    var hops: HopMinute?
    /// The outages that are always noticed; nil without a heartbeat.
    var coverage: HeartbeatCoverage?
    /// The delivery of events; nil without a collector.
    var delivery: (pending: Int, counts: EventSender.Counts)?
    /// The number of hooks that ended, by result.
    var hookRuns: [String: Int] = [:]
    var loginFailures = 0
    var eventStreams = 0

    /// The page `/metrics`, for Prometheus and other collectors.
    ///
    /// Every name begins with `dialtone_`. Names and labels are stable: new ones may be added, existing ones never change.
    var page: String { families.map(\.text).joined() }
}

extension MetricsSnapshot {
    private typealias Sample = MetricFamily.Sample

    /// The metrics, in the order of the page.
    private var families: [MetricFamily] {
        let connectivity = live.connectivity
        let state = HistoryState(live.connectivity.state)
        let interface = connectivity.path.interfaces.first
        // While the server reports metrics, it is watching.
        let states = HistoryState.allCases.filter(\.isWatched)
        let faults = ConnectivityFault.allCases.filter { $0 != .host } + [nil]
        return [
            info("build_info", "The program.", [("version", version)]),
            family(
                .gauge, "connectivity_state", "1 for the current state, 0 for the others.", by: "state",
                states.map { ($0.rawValue, $0 == state ? 1 : 0) }),
            gauge(
                "connectivity_state_since_timestamp_seconds", "When the current state began.",
                connectivity.since.timeIntervalSince1970),
            info(
                "connectivity_cause_info", "Why this machine is not online.",
                connectivity.cause.map {
                    [("cause", $0.rawValue), ("fault", connectivity.fault?.rawValue ?? "unknown")]
                }),
            gauge("path_satisfied", "Whether there is a path.", connectivity.path.status == .satisfied ? 1 : 0),
            info(
                "path_interface_info", "The preferred interface.",
                interface.map { [("interface", $0.name), ("type", $0.type.reportName)] }),
            counter(
                "transitions_total", "Changes of the state, the interface or the login page.", counters.transitions),
            counter("outages_total", "Outages that began.", counters.outages),
            family(
                .counter, "outage_seconds_total", "Time without the Internet.", by: "fault",
                faults.map { ($0?.rawValue ?? "unknown", counters.outageSeconds[$0, default: 0]) }),
            counter("drops_total", "Drops: silences beyond the router that no check concluded in.", counters.drops),
            MetricFamily(.counter, "drop_seconds_total", "Time in drops.", [Sample(value: counters.dropSeconds)]),
            family(
                .counter, "state_seconds_total", "Time in each state.", by: "state",
                states.map { ($0.rawValue, counters.seconds[$0, default: 0]) }),
            family(
                .counter, "checks_total", "Checks of the Internet, by verdict.", by: "verdict",
                CheckRecord.Verdict.allCases.map { ($0.rawValue, Double(counters.checks[$0, default: 0])) }),
            MetricFamily(
                .histogram, "check_duration_seconds", "Duration of checks of the Internet.",
                counters.checkDurations.samples),
            gauge(
                "last_check_timestamp_seconds", "When the last check began.",
                lastCheck?.checkedAt.timeIntervalSince1970),
            gauge(
                "last_check_https_verified", "Whether the last check proved the Internet over HTTPS.",
                lastCheck?.tls.map { $0 == .verified ? 1 : 0 }),
            gauge(
                "last_check_latency_seconds", "The fastest answer in the last check.",
                lastCheck.flatMap { CheckRecord($0).latency }),
            hosts("host_reachable", "Whether a watched host accepts connections.") { row in
                let state = row.result(in: connectivity).state
                return state == .unknown ? nil : state == .reachable ? 1 : 0
            },
            MetricFamily(
                .counter, "host_checks_total", "Checks of a watched host, by result.",
                live.hosts.flatMap { row in
                    [("succeeded", row.statistics.succeeded), ("failed", row.statistics.failed)].map { result, count in
                        Sample(labels: [("host", row.host.name), ("result", result)], value: Double(count))
                    }
                }),
            hosts(
                "host_connect_duration_seconds",
                "Duration of the last connection to a watched host, if it succeeded."
            ) { $0.connectDuration.map { $0 / .seconds(1) } },
            hosts("host_last_check_timestamp_seconds", "When the last check of a watched host ended.") {
                $0.checkedAt?.timeIntervalSince1970
            },
            hosts(
                "host_certificate_expiry_timestamp_seconds",
                "Until when the certificate of a watched host is valid."
            ) { $0.certificate?.expiry?.timeIntervalSince1970 },
            family(
                .gauge, "hop_loss_ratio", "The share of packets to a hop that were not answered in the last minute.",
                by: "hop", HeartbeatHop.allCases.map { ($0.rawValue, hops?.hops[$0]?.loss) }),
            family(
                .gauge, "hop_round_trip_seconds", "The median round trip to a hop in the last minute.", by: "hop",
                HeartbeatHop.allCases.map { ($0.rawValue, hops?.hops[$0]?.seconds.median) }),
            family(
                .gauge, "shortest_noticed_outage_seconds",
                "The shortest outage that is always noticed, and why it is not shorter.", by: "limit",
                [(coverage?.limit?.rawValue ?? "none", coverage?.shortest)]),
            gauge("history_healthy", "Whether the history is written to disk.", history.isHealthy ? 1 : 0),
            gauge("history_waiting_records", "Records that wait for the disk.", Double(history.waiting)),
            counter(
                "history_discarded_records_total", "Records dropped because too many waited for the disk.",
                history.discarded),
            gauge("events_pending", "Events that no collector has acknowledged.", (delivery?.pending).map(Double.init)),
            counter(
                "events_acknowledged_total", "Events that a collector has acknowledged.",
                delivery?.counts.acknowledged),
            counter(
                "event_delivery_failures_total", "Requests with events that were not acknowledged.",
                delivery?.counts.failures),
            counter(
                "events_lost_total", "Events that the history removed before they were acknowledged.",
                delivery?.counts.lost),
            counter(
                "events_refused_total", "Events set aside because the collector refused each of them.",
                delivery?.counts.refused),
            family(
                .counter, "hook_runs_total",
                "Hooks that ended, by result; skipped counts transitions without hooks.", by: "result",
                hookRuns.sorted { $0.key < $1.key }.map { ($0.key, Double($0.value)) }),
            counter("login_failures_total", "Wrong tokens.", loginFailures),
            gauge("event_streams", "Open event streams.", Double(eventStreams)),
        ]
    }

    /// A gauge that is absent without a value.
    private func gauge(_ name: String, _ help: String, _ value: Double?) -> MetricFamily {
        MetricFamily(.gauge, name, help, value.map { [Sample(value: $0)] } ?? [])
    }

    /// A counter that is absent without a value.
    private func counter(_ name: String, _ help: String, _ value: Int?) -> MetricFamily {
        MetricFamily(.counter, name, help, value.map { [Sample(value: Double($0))] } ?? [])
    }

    /// A gauge that is 1, whose labels are the information; absent without labels.
    private func info(_ name: String, _ help: String, _ labels: [(name: String, value: String)]?) -> MetricFamily {
        MetricFamily(.gauge, name, help, labels.map { [Sample(labels: $0, value: 1)] } ?? [])
    }

    /// A family with a sample for each value of a label that has one.
    private func family(
        _ kind: MetricFamily.Kind, _ name: String, _ help: String, by label: String, _ values: [(String, Double?)]
    ) -> MetricFamily {
        MetricFamily(
            kind, name, help,
            values.compactMap { key, value in value.map { Sample(labels: [(label, key)], value: $0) } })
    }

    private func hosts(_ name: String, _ help: String, _ value: (HostRow) -> Double?) -> MetricFamily {
        family(.gauge, name, help, by: "host", live.hosts.map { ($0.host.name, value($0)) })
    }
}
