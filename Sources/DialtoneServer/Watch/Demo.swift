//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import DialtoneNotifications
import DialtoneTesting
import Synchronization

/// A network that is only played, so that a visitor sees every state without pulling cables.
final class Demo: Sendable {
    /// The network.
    let network = SimulatedNetwork(.wifi)
    /// Who watches it.
    let monitor: ConnectivityMonitor

    private let state = Mutex<(scene: DemoScene, stop: MonitorTime.Cancellation?)>((.online, nil))

    /// Makes a demonstration; nil when its monitor's configuration cannot be, which does not happen.
    init?() {
        var configuration = ConnectivityMonitor.Configuration.withoutJitter
        configuration.interval = .seconds(2)
        configuration.checkSpacing = .milliseconds(100)
        guard let monitor = try? ConnectivityMonitor(simulating: network, configuration) else { return nil }
        self.monitor = monitor
    }

    /// Plays a scene from now on.
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

extension Demo: RequestMaking {
    func perform() async throws -> Int {
        // A request takes a moment, so that one sees it.
        try await Task.sleep(for: .milliseconds(600))
        return try state.withLock { $0.scene }.answer()
    }
}

extension SCNetworkReachabilityFlags {
    /// What a host has over a path that is only played.
    init(simulating path: NetworkPath) {
        self = []
        switch path.status {
        case .satisfied: insert(.reachable)
        case .requiresConnection:
            formUnion([.reachable, .connectionRequired, .transientConnection, .connectionOnTraffic])
        default: if path.isUnknown { insert(.reachable) }
        }
        if path.usedInterfaceTypes.contains(.cellular) { formUnion([.isWWAN, .transientConnection]) }
    }
}
