// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Dispatch
import Synchronization

extension Scenario {
    static let roaming = [
        Scenario("roam from one access point of a network to another: it is the same network") { lab in
            try lab.beOnWiFi()
            let networks = try Networks()
            defer { networks.end() }
            let watch = lab.watch()
            try watch.expect(Air.path)
            try networks.waitForFirst()
            try lab.checkDetails(network: "home", accessPoint: Air.addressOfA, frequency: 2412)

            try lab.shell(Air.accessPoint("wlan1", "home", channel: 6))
            try lab.shell("wpa_cli -p /run/wpa -i wlan2 scan freq=2437")
            try lab.until("wpa_cli -p /run/wpa -i wlan2 scan_results | grep -q \(Air.addressOfB)")
            try lab.shell("wpa_cli -p /run/wpa -i wlan2 roam \(Air.addressOfB)")
            // Between the two access points the kernel drops the carrier, and the keys are negotiated again.
            try watch.expect("?unsatisfied noCarrier wlan2", "?requiresConnection dormant wlan2", Air.path)
            try lab.checkDetails(network: "home", accessPoint: Air.addressOfB, frequency: 2437)
            try lab.quiet()
            try lab.check(networks.changes == 0, "reported another network \(networks.changes) times")
        },
        Scenario("from one Wi-Fi network to another: it is another network") { lab in
            try lab.setUpAir()
            try lab.shell(Air.accessPoint("wlan0", "home", channel: 1))
            try lab.shell(Air.accessPoint("wlan1", "away", channel: 6))
            try lab.join("home", "away")
            try lab.until("[ -e /run/wpa/wlan2 ]")
            try lab.shell("wpa_cli -p /run/wpa -i wlan2 select_network 0")
            try lab.until("iw dev wlan2 link | grep -q \(Air.addressOfA) && ip link show wlan2 | grep -q 'state UP'")
            try lab.shell(Air.address)
            let networks = try Networks()
            defer { networks.end() }
            let watch = lab.watch()
            try watch.expect(Air.path)
            try networks.waitForFirst()
            try lab.shell("wpa_cli -p /run/wpa -i wlan2 select_network 1")
            try watch.expect(
                "unsatisfied noCarrier wlan2", "?requiresConnection dormant wlan2",
                "satisfied wlan2=wifi@away via-192.0.2.1 good")
            try lab.checkDetails(network: "away", accessPoint: Air.addressOfB, frequency: 2437)
            try lab.quiet()
            try networks.waitForChange()
            try lab.check(networks.changes == 1, "reported another network \(networks.changes) times")
        },
    ]
}

/// Counts how often a `ConnectivityMonitor` that sends no packet reports another network.
private final class Networks {
    private let monitor: ConnectivityMonitor
    private let observation: ConnectivityObservation
    private let queue = DispatchQueue(label: "lab.networks")
    private let seen: Seen

    private final class Seen: Sendable {
        let count = Mutex(0)
        let first = DispatchSemaphore(value: 0)
        let change = DispatchSemaphore(value: 0)
    }

    init() throws {
        let seen = Seen()
        self.seen = seen
        monitor = try ConnectivityMonitor(ConnectivityMonitor.Configuration(), checker: nil)
        observation = monitor.observe(on: queue) { connectivity in
            if connectivity.path.status == .satisfied { seen.first.signal() }
            guard connectivity.changes.contains(.network) else { return }
            seen.count.withLock { $0 += 1 }
            seen.change.signal()
        }
    }

    /// The number of network changes.
    var changes: Int {
        queue.sync {}
        return seen.count.withLock { $0 }
    }

    func waitForFirst() throws {
        guard seen.first.wait(timeout: .now() + 20) == .success else { throw Failure("no first value") }
    }

    func waitForChange() throws {
        guard seen.change.wait(timeout: .now() + 20) == .success else { throw Failure("no other network was reported") }
    }

    func end() { observation.cancel() }
}
