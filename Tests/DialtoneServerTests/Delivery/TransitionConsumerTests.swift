// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CommandSupport
import Dialtone
import DialtoneHistory
import DialtoneTesting
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import DialtoneAgent
@testable import DialtoneServer

/// All consumers of transitions: for each change, they have the same number, words, cause, fault and interface.
@Suite(.real, .timeLimit(.minutes(2)))
struct TransitionConsumerTests {
    /// A check whose report the test sets.
    private final class Check: InternetChecking {
        private let report = Mutex(InternetCheck.Report(verdict: .verified, checkedAt: .distantPast))

        func set(_ new: InternetCheck.Report) { report.withLock { $0 = new } }

        func check(over path: NetworkPath) async -> InternetCheck.Report { report.withLock { $0 } }
    }

    /// A transition as one consumer has it.
    private struct Told: Hashable, CustomStringConvertible {
        var number: Int
        var state: String
        var cause: String?
        var fault: String?
        var interface: String?
        var reason: String?

        var description: String {
            "\(number) \(state) \(cause ?? "-") \(fault ?? "-") \(interface ?? "-") \(reason ?? "-")"
        }
    }

    private static let portal = URL(string: "http://login.test/") ?? URL(filePath: "/")

    /// A check in which nothing answers; the router does, or was not awaited.
    private static func silence(routerAnswers: Bool) -> InternetCheck.Report {
        let failure = InternetCheck.Evidence.Outcome.failed(ProbeError(.timedOut, during: .connect, ""))
        let endpoints = ["alpha.example", "beta.example"].flatMap { (name: String) -> [InternetCheck.Evidence] in
            ["http", "https"].map { (scheme: String) -> InternetCheck.Evidence in
                InternetCheck.Evidence(
                    url: "\(scheme)://www.\(name)/", operatorName: name, failure, durations: .init(total: .seconds(8)))
            }
        }
        var report = InternetCheck.Report(
            verdict: .noInternet(.timedOut), checkedAt: .sample, duration: .milliseconds(2800), endpoints: endpoints)
        let router = NetworkPath.Gateway(NetworkAddress(192, 0, 2, 1))
        report.hops = InternetCheck.Hops(
            routers: [.init(router, routerAnswers ? .answers : .unclear)],
            publicAddresses: [.init(NetworkAddress(9, 9, 9, 9), .silent, after: .milliseconds(20))])
        return report
    }

    private static func report(_ verdict: InternetCheck.Verdict) -> InternetCheck.Report {
        InternetCheck.Report(verdict: verdict, checkedAt: .sample)
    }

    /// The changes, each with the number, the state, the cause and the fault that it must have.
    private static let changes: [(String, @Sendable (SimulatedNetwork, Check) -> Void, expected: String)] = [
        ("the cable is out", { network, _ in network.become(.offline(.noCarrier)) }, "2 offline noCarrier machine"),
        // In between, the path is unverified.
        ("back online", { network, _ in network.become(.wired) }, "3 online - -"),
        ("no Internet", { $1.set(silence(routerAnswers: false)) }, "4 noInternet allSilent -"),
        ("the fault is found", { $1.set(silence(routerAnswers: true)) }, "4 noInternet provider provider"),
        ("working again", { $1.set(report(.verified)) }, "5 online - -"),
        ("a login page", { $1.set(report(.captivePortal(portal))) }, "6 captivePortal captivePortal portal"),
        ("the login", { $1.set(report(.verified)) }, "7 online - -"),
        ("another interface", { network, _ in network.become(.wifi) }, "8 online - -"),
    ]

    @Test func `every consumer has the same number, words, cause, fault and interface of each change`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "dialtone-table-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let hookFile = directory.appending(path: "hooks").path
        let hooks = HookRunner(
            .shell(
                """
                printf '%s\\n' "$DIALTONE_TRANSITION|$DIALTONE_STATE|$DIALTONE_CAUSE|$DIALTONE_FAULT|$DIALTONE_INTERFACE|$DIALTONE_REASON" \
                >> '\(hookFile)'
                """)
        ) { _ in }
        defer { hooks.stop() }

        let (network, check) = (SimulatedNetwork(.wired), Check())
        let (lines, transitions) = (Recorder<String>(), Recorder<Transition>())
        var times = ConnectivityMonitor.Configuration.withoutJitter
        times.checkSpacing = .milliseconds(10)
        // A request joins the check under way, which may have read the report before the change.
        times.interval = .milliseconds(500)
        let monitor = try ConnectivityMonitor(times, paths: network, checker: check)
        let history = await HistoryStore.open(at: directory.appending(path: "history"))
        history.beginDelivery {}
        await history.flush()
        let logger = Logger(label: "", factory: { _ in RecordingLog(lines) })
        let agent = try Agent(
            AgentConfiguration(machineName: "tester"), monitor: monitor, history: history, hooks: hooks, logger: logger)
        let server = try DialtoneServer(
            ServerConfiguration(listen: [try ListenAddress(parsing: "127.0.0.1:0")]), of: agent, logger: logger)
        let observation = monitor.observeTransitions(isPassive: false) {
            if let transition = $1 { transitions.record(transition) }
        }
        defer { observation.cancel() }
        let running = Task { try await server.run() }
        let port = server.addresses[0].port
        let stream = try RawClient(port)
        try stream.send(RawClient.text(port, "GET", "/events"))
        _ = try await stream.read(until: "\r\n\r\n")

        _ = try await transitions.next()
        var told: [Told] = []
        for (name, change, expected) in Self.changes {
            change(network, check)
            monitor.requestCheck()
            let transition = try await transitions.next()
            let value = Self.told(transition)
            #expect(
                "\(value.number) \(value.state) \(value.cause ?? "-") \(value.fault ?? "-")" == expected, "\(name)")
            told.append(value)

            let log = try await lines.next { $0.hasPrefix("connectivity ") && $0.contains("state=\(value.state)") }
            for field in [
                "transition=\(value.number)", "cause=\(value.cause ?? "none")", "fault=\(value.fault ?? "none")",
                "interface=\(value.interface ?? "none")", "reason=\(value.reason ?? "none")",
            ] {
                #expect(log.contains(field), "\(name): \(log)")
            }
            let metrics = try await RawClient.ask(port, "GET", "/metrics").body
            #expect(metrics.contains("dialtone_transitions_total \(value.number)\n"), "\(name)")
            // Without a cause, the family is absent.
            let causes = metrics.split(separator: "\n").filter { $0.hasPrefix("dialtone_connectivity_cause_info") }
            #expect(
                causes
                    == (value.cause.map {
                        ["dialtone_connectivity_cause_info{cause=\"\($0)\",fault=\"\(value.fault ?? "unknown")\"} 1"]
                    } ?? []), "\(name)")
            #expect(metrics.contains("dialtone_outage_seconds_total{fault=\"\(value.fault ?? "unknown")\"} "))
            // The stream has the values of the monitor, also those that are no transitions.
            let event = "\"connectivity\":\"\(value.state)\""
            var text = ""
            repeat {
                text = try await stream.read(until: "\n\n")
            } while !text.contains(event)
                || value.fault.map { !text.contains("\"fault\":\"\($0)\"") } ?? false
            if let reason = value.reason { #expect(text.contains("\"explanation\":\"\(reason)\""), "\(text)") }
            if let cause = value.cause { #expect(text.contains("\"cause\":\"\(cause)\""), "\(text)") }
            // Without a path, the words name the interface.
            if let interface = value.interface, value.state != "offline" {
                #expect(text.contains("\"\(interface)\""), "\(text)")
            }
            await history.flush()
            guard let reason = value.reason else { continue }
            // The page may show the part of a moment ago.
            try await eventually {
                try await RawClient.ask(port, "GET", "/").body
                    .contains(": \(HTML.text(reason.withoutFullStop).description)</strong>")
            }
        }

        let all = [try #require(transitions.values.first.map(Self.told))] + told
        let records = try await HistoryReader(history.directory).transitions().compactMap { record in
            record.number.map {
                Told(
                    number: $0, state: record.state.rawValue, cause: record.cause?.rawValue,
                    fault: record.fault?.rawValue,
                    interface: record.interfaceName, reason: HistoryWording.cause(record))
            }
        }
        #expect(records == all)
        let batch = try #require(try await history.events(limit: 100))
        #expect(try Self.told(CloudEvents.body(batch, machine: "tester")) == all)
        #expect(Set(batch.events.map(\.identifier)).count == batch.events.count)
        try await eventually {
            let text = (try? String(contentsOfFile: hookFile, encoding: .utf8)) ?? ""
            let runs = text.split(separator: "\n").map(String.init)
            return runs
                == all.map {
                    "\($0.number)|\($0.state)|\($0.cause ?? "")|\($0.fault ?? "")|\($0.interface ?? "")|\($0.reason ?? "")"
                }
        }
        // The fault that was found later counts from the beginning of its outage.
        let outages = try await history.timeline(from: .wall - 600, to: .wall + 1).outages
        #expect(outages.compactMap(\.fault).contains(.machine))
        #expect(!outages.contains { $0.state == .noInternet && $0.fault == nil })
        server.stop()
        try await running.value
    }

    private static func told(_ transition: Transition) -> Told {
        Told(
            number: transition.number, state: transition.state.rawValue, cause: transition.cause?.rawValue,
            fault: transition.fault?.rawValue, interface: transition.interfaceName, reason: transition.reason)
    }

    private static func told(_ body: [UInt8]) throws -> [Told] {
        let events = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]])
        return events.compactMap { event in
            guard let data = event["data"] as? [String: Any], let number = data["transition"] as? Int else {
                return nil
            }
            return Told(
                number: number, state: data["state"] as? String ?? "", cause: data["cause"] as? String,
                fault: data["fault"] as? String, interface: data["interface"] as? String,
                reason: data["reason"] as? String)
        }
    }
}
#endif
