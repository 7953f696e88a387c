// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneServer
import NetworkSimulation
import SystemSupport

/// A simulated network, so that a visitor can see every state without unplugging cables.
final class Demo: Sendable {
    let network = SimulatedNetwork(.wifi)
    let monitor: ConnectivityMonitor

    let time: TimeSource
    private struct State {
        var scene = DemoScene.online
        var stop: TimeSource.Cancellation?
    }

    private let state = Mutex(State())

    init(time: TimeSource = .system) throws(InvalidConfiguration) {
        self.time = time
        var configuration = ConnectivityMonitor.Configuration.withoutJitter
        configuration.interval = .seconds(2)
        configuration.checkSpacing = .milliseconds(100)
        monitor = try ConnectivityMonitor(
            configuration, paths: network, checker: SimulatedCheck(network: network), identifier: network,
            random: { 0 })
    }

    func play(_ scene: DemoScene) {
        let old = state.withLock { state in
            defer { state = State(scene: scene, stop: scene == .tour ? network.play(DemoScene.script) : nil) }
            return state.stop
        }
        old?()
        network.internet = scene.internet
        network.become(scene.path)
        monitor.requestCheck()
    }

    /// Stops a tour; the network stays as it is.
    func stop() {
        let old = state.withLock { state in
            defer { state.stop = nil }
            return state.stop
        }
        old?()
    }
}

extension Demo: RequestPerformer {
    var server: HostTarget? { nil }

    func perform() async throws -> RequestAnswer {
        // Delay the request briefly, so that it is visible.
        try await time.sleep(for: .milliseconds(600))
        return RequestAnswer(NetworkRequester.Reply(status: try state.withLock { $0.scene }.answer()))
    }
}

/// Adds what a real check would have seen to the simulated verdict, so that the page can show it.
private struct SimulatedCheck: InternetChecking {
    let network: SimulatedNetwork

    func check(over path: NetworkPath) async -> InternetCheck.Report {
        var report = await network.check(over: path)
        if path.status == .satisfied {
            report.endpoints = ["First", "Second"].flatMap { name in
                ["http", "https"].map { endpoint(name, $0, report.verdict) }
            }
        }
        if case .noInternet = report.verdict {
            report.hops = InternetCheck.Hops(
                routers: path.gateways.prefix(1).map { .init($0, .answers) },
                publicAddresses: [.init(NetworkAddress(198, 51, 100, 53), .silent)])
        }
        return report
    }

    private func endpoint(
        _ name: String, _ scheme: String, _ verdict: InternetCheck.Verdict
    ) -> InternetCheck.Evidence {
        let silent = InternetCheck.Evidence.Outcome.failed(ProbeError(.timedOut, during: .connect))
        let (outcome, status): (InternetCheck.Evidence.Outcome, Int?) =
            switch verdict {
            case .verified: (.passed, 204)
            case .captivePortal(let page) where scheme == "http": (.portal(page), 302)
            case .partial where scheme == "http": (.passed, 204)
            default: (silent, nil)
            }
        let total: Duration = outcome == silent ? .seconds(5) : .milliseconds(31)
        return InternetCheck.Evidence(
            url: "\(scheme)://\(name.lowercased()).example.com/", operatorName: name, outcome, status: status,
            address: NetworkAddress(198, 51, 100, 1), durations: .init(resolve: .milliseconds(9), total: total))
    }
}

/// The scenes that the demo can simulate.
enum DemoScene: String, CaseIterable, Sendable {
    case online, cellular, offline, noAddress, radioOff, requiresConnection, portal, limited, partial, serverTrouble
    case unseen, tour

    /// The text of its button.
    var title: String {
        switch self {
        case .online: "Online"
        case .cellular: "Cellular"
        case .offline: "Wi-Fi lost"
        case .noAddress: "No address"
        case .radioOff: "Airplane mode"
        case .requiresConnection: "Wrong password"
        case .portal: "Login page"
        case .limited: "Dead uplink"
        case .partial: "HTTP only"
        case .serverTrouble: "Server error"
        case .unseen: "Hidden network"
        case .tour: "All scenes in turn"
        }
    }

    var path: SimulatedPath {
        switch self {
        case .cellular: .cellular
        case .offline: .offline
        case .noAddress: .offline(.noAddress)
        case .radioOff: .offline(.radioOff)
        case .requiresConnection: .offline(.dormant)
        case .unseen: .unseen
        case .portal: .wifi("Café")
        default: .wifi
        }
    }

    /// The simulated result of checks.
    var internet: InternetCheck.Report {
        switch self {
        case .portal: URL(string: "http://login.portal.test/welcome").map { .captivePortal($0) } ?? .unverified
        case .limited: .noInternet
        case .partial: .limited
        case .unseen: .unverified
        default: .online
        }
    }

    /// The simulated result of a request.
    func answer() throws(RequestFailure) -> Int {
        switch self {
        case .serverTrouble: return 503
        case .portal: return 511
        case .limited: throw RequestFailure(.timedOut)
        case .offline, .noAddress, .radioOff, .requiresConnection: throw RequestFailure(.notConnected)
        default: return 200
        }
    }

    /// The tour: every other scene, for a few seconds each.
    static let script: [SimulatedNetwork.Step] = allCases.filter { $0 != .tour }.flatMap { scene in
        [.internet(scene.internet, after: .seconds(6)), .path(scene.path)]
    }
}
