// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import TestSupport
import Testing

@testable import DialtoneDemo
@testable import DialtoneServer

struct VariantWatchTests {
    @Test(.real) func `every class delivers its own value of the real network, and none after stopping`() async throws {
        let changes = Recorder<Variant>()
        let watch = VariantWatch { variant, _ in changes.record(variant) }
        let monitor = try ConnectivityMonitor(.init(), checker: nil)
        watch.start(
            ThisMachine(), host: "localhost", monitor: monitor,
            room: try WaitingRoom(monitor, configuration: .singleRequest))
        // The task waits until there is a path, and the last request is not the watch's own.
        var missing = Set(Variant.allCases).subtracting([.lastRequest])
        while !missing.isEmpty { missing.remove(try await changes.next()) }
        let rows = watch.rows(RequestProgress(phase: .checking))
        #expect(rows.map(\.variant) == Variant.allCases)
        #expect(rows.allSatisfy { $0.value?.isEmpty == false })
        func value(_ variant: Variant) -> String? { rows.first { $0.variant == variant }?.value }
        #expect(value(.hostName)?.hasPrefix("-R") == true)
        #expect(value(.lastRequest) == "checking")
        watch.stop()
        watch.record("late", of: .path)
        #expect(watch.rows(RequestProgress()).first { $0.variant == .path }?.value == value(.path))
    }

    #if os(Linux)
    /// The rows of a scene, by what its classes report.
    private struct Expected {
        var flags: String
        var path: String
        var wifiPath: String
        var pathObject: String
        var reachabilityProvider: String
        var pathProvider: String
        var pathSequence: String
        var connectivity: String
        var waitingTask: String

        var rows: [Variant: String] {
            var rows: [Variant: String] = [
                .zeroAddress: flags, .hostName: flags, .addressPair: flags, .path: path, .wifiPath: wifiPath,
                .pathObject: pathObject,
                .pathSequence: pathSequence, .connectivity: connectivity, .waitingTask: waitingTask,
            ]
            #if Publishers
            rows[.reachabilityProvider] = reachabilityProvider
            rows[.callbackProvider] = reachabilityProvider
            rows[.pathProvider] = pathProvider
            #endif
            return rows
        }

        static func wifi(_ connectivity: String = "Online") -> Self {
            Self(
                flags: "-R ------- reachable", path: "satisfied over wlan0", wifiPath: "satisfied over wlan0",
                pathObject: "nw_path_status_satisfied, nw_interface_type_wifi",
                reachabilityProvider: "reachable(ethernetOrWiFi)", pathProvider: "reachable(ethernetOrWiFi)",
                pathSequence: "satisfied over wlan0", connectivity: connectivity, waitingTask: "sent")
        }

        static func offline(_ reason: String) -> Self {
            Self(
                flags: "-- ------- not reachable", path: "unsatisfied", wifiPath: "unsatisfied",
                pathObject: "nw_path_status_unsatisfied", reachabilityProvider: "notReachable",
                pathProvider: "notReachable", pathSequence: "unsatisfied: \(reason)", connectivity: "Offline",
                waitingTask: "waiting")
        }
    }

    private static let scenes: [(DemoScene, Expected)] = DemoScene.allCases.compactMap { scene in
        var expected: Expected
        switch scene {
        case .tour: return nil
        case .online, .serverTrouble: expected = .wifi()
        case .portal: expected = .wifi("Login required")
        case .limited: expected = .wifi("No Internet")
        case .partial: expected = .wifi("Limited")
        case .cellular:
            expected = .wifi()
            expected.flags = "WR t------ over a cellular network, reachable, over a transient connection"
            expected.path = "satisfied over wwan0"
            expected.wifiPath = "unsatisfied"
            expected.pathObject = "nw_path_status_satisfied, nw_interface_type_cellular"
            expected.reachabilityProvider = "reachable(wwan)"
            expected.pathProvider = "reachable(wwan)"
            expected.pathSequence = "satisfied over wwan0"
        case .offline: expected = .offline("wlan0 is not connected to a Wi-Fi network.")
        case .noAddress: expected = .offline("wlan0 has no address: check the router's DHCP.")
        case .radioOff:
            expected = .offline("\(PathDiagnosis(.radioOff, interface: scene.path.path.diagnosis?.interface))")
            expected.flags = "-- -c-i--- a connection must be made first, the user must act first"
        case .requiresConnection:
            expected = .offline("")
            expected.flags =
                "-R tcC---- reachable, over a transient connection, a connection must be made first, "
                + "traffic establishes the connection"
            expected.path = "requiresConnection"
            expected.wifiPath = "requiresConnection"
            expected.pathObject = "nw_path_status_satisfiable"
            // By the classic rule, traffic would establish the connection; a path that requires one is not reachable.
            expected.reachabilityProvider = "reachable(ethernetOrWiFi)"
            expected.pathSequence =
                "requiresConnection: wlan0 is not authenticated: check the password or login."
            expected.connectivity = "Not connected"
        case .unseen:
            expected = .offline("")
            // Reachability that is not known is not denied.
            expected.flags = "-R ------- reachable"
            expected.reachabilityProvider = "reachable(ethernetOrWiFi)"
            expected.pathProvider = "unknown"
            expected.pathSequence = "unknown"
            expected.connectivity = "Unknown"
            expected.waitingTask = "sent"
        }
        return (scene, expected)
    }

    @Test(.real, .timeLimit(.minutes(5)))
    func `every row follows each scene, by its own class over the simulated kernel`()
        async throws
    {
        let demo = try Demo()
        let source = try #require(demo.variantSource)
        let room = try WaitingRoom(demo.monitor, configuration: .singleRequest)
        let changes = Recorder<Variant>()
        let watch = VariantWatch { variant, _ in changes.record(variant) }
        watch.start(source, host: "example.com", monitor: demo.monitor, room: room)
        // Twice, so that each scene follows another one, and the first returns after the last.
        for (scene, expected) in Self.scenes + Self.scenes {
            demo.play(scene)
            func wrong() -> [VariantRow] {
                watch.rows(RequestProgress()).filter {
                    $0.variant != .lastRequest && $0.value != expected.rows[$0.variant]
                }
            }
            do {
                while !wrong().isEmpty { _ = try await changes.next() }
            } catch is RecorderTimeout {
                Issue.record("\(scene): \(wrong())")
            }
        }
        watch.stop()
    }
    @Test(.real) func `the real rows return after a scene, and none of the simulated ones stays`() async throws {
        let served = try await ServedNetwork { $0.isDemo = true }
        let listener = try await served.listen()
        func rows() async throws -> String {
            let parts = try await served.get("/parts").object?["parts"] as? [String: Any]
            return parts?["variants"] as? String ?? ""
        }
        for _ in 1...2 {
            _ = try await served.submit("/simulate", "scene=cellular")
            _ = try await listener.read(until: "satisfied over wwan0")
            try await eventually { try await rows().contains("satisfied over wwan0") }
            _ = try await served.submit("/simulate", "scene=")
            let real = try await rows()
            #expect(real.contains("of the real network") && !real.contains("wwan"))
        }
    }
    #endif

    @Test func `the section has a row for each class in its group, and says which ones have no value yet`() {
        func html(_ scene: DemoScene?) -> String {
            let rows = [VariantRow(variant: .path, value: "<1>"), VariantRow(variant: .zeroAddress)]
            return "\(ClassesSection.html(rows, of: scene))"
        }
        #expect(html(nil).contains("<th scope=\"row\">NWPathMonitor</th><td class=\"wrap\">&lt;1&gt;</td>"))
        #expect(
            html(nil).contains(
                "Reachability flags <small class=\"mono\">OpenSystemConfiguration</small></th></tr>"
                    + "<tr><th scope=\"row\">SCNetworkReachability, zero address</th><td class=\"wrap\">waiting</td>"))
        #expect(!html(nil).contains("Connectivity and requests"))
        #expect(html(nil).contains("the real network"))
        #expect(html(.offline).contains("the simulated network: Wi-Fi lost"))
        #expect(html(nil).contains("<dt><code>W</code></dt><dd>over a cellular network</dd>"))
    }
}
