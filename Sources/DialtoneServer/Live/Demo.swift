// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneNotifications
import NetworkSimulation
import Synchronization

/// A simulated network, so that a visitor can see every state without unplugging cables.
final class Demo: Sendable {
    /// The simulated network.
    let network = SimulatedNetwork(.wifi)
    /// The monitor of the simulated network.
    let monitor: ConnectivityMonitor

    private let state = Mutex<(scene: DemoScene, stop: MonitorTime.Cancellation?)>((.online, nil))

    /// Creates a demo; nil if its monitor's configuration is invalid, which does not happen.
    init?() {
        var configuration = ConnectivityMonitor.Configuration.withoutJitter
        configuration.interval = .seconds(2)
        configuration.checkSpacing = .milliseconds(100)
        guard let monitor = try? ConnectivityMonitor(simulating: network, configuration) else { return nil }
        self.monitor = monitor
    }

    /// Switches to a scene.
    func play(_ scene: DemoScene) {
        let old = state.withLock { state in
            defer { state = (scene, scene == .tour ? network.play(DemoScene.script) : nil) }
            return state.stop
        }
        old?()
        network.internet = scene.internet
        network.become(scene.path)
        monitor.requestCheck()
    }
}

extension Demo: RequestPerformer {
    func perform() async throws -> Int {
        // Delay the request briefly, so that it is visible.
        try await Task.sleep(for: .milliseconds(600))
        return try state.withLock { $0.scene }.answer()
    }
}

extension SCNetworkReachabilityFlags {
    /// The flags of a host over a simulated path.
    init(simulating path: NetworkPath) {
        self = []
        switch path.status {
        case .satisfied: insert(.reachable)
        case .requiresConnection:
            formUnion([.reachable, .connectionRequired, .transientConnection, .connectionOnTraffic])
        default: if path.isUnknown { insert(.reachable) }
        }
        if path.usedInterfaceTypes.contains(.cellular) { formUnion([.cellular, .transientConnection]) }
    }
}
