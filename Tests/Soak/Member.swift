// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import Dispatch
import OpenNetwork
import OpenSystemConfiguration
import Synchronization

/// A monitor, host, target or waiter, which works until it is dropped.
struct Member {
    let drop: () -> Void
    /// Whether the last report was that there is a default route (true), or no default route.
    let agrees: (_ isUp: Bool) -> Bool

    /// One queue for all handlers, as an app would have.
    private static let queue = DispatchQueue(label: "soak.handlers")

    /// A path monitor of one of four kinds.
    static func monitor() -> Member {
        let (monitor, isEverSatisfied): (NWPathMonitor, Bool) =
            switch Int.random(in: 0..<4) {
            case 0: (NWPathMonitor(requiredInterfaceType: .wiredEthernet), true)
            case 1: (NWPathMonitor(requiredInterfaceType: .wifi), false)
            case 2: (NWPathMonitor(prohibitedInterfaceTypes: [.cellular]), true)
            default: (NWPathMonitor(), true)
            }
        let latest = Latest<NWPath.Status>()
        monitor.pathUpdateHandler = { latest.store($0.status) }
        monitor.start(queue: queue)
        return Member(drop: { monitor.cancel() }) { isUp in
            latest.load() == (isUp && isEverSatisfied ? .satisfied : .unsatisfied)
        }
    }

    /// A host whose route is watched; one in eight also connects, and is refused.
    static func host() -> Member {
        let isRefused = Int.random(in: 0..<8) == 0
        let text = isRefused ? "127.0.0.1:9" : "198.51.100.\(Int.random(in: 0..<256))"
        let latest = Latest<HostReport.State>()
        let task = Task {
            guard let host = try? HostReachability(text, connects: isRefused) else { return }
            for await report in host.updates() { latest.store(report.state) }
        }
        return Member(drop: { task.cancel() }) { isUp in
            latest.load() == (isUp && !isRefused ? .reachable : .unreachable)
        }
    }

    /// A target of Apple's SCNetworkReachability API.
    static func target() -> Member {
        let name = "198.51.100.\(Int.random(in: 0..<256))"
        let target = SCNetworkReachabilityCreateWithName(nil, name)
        if let target {
            SCNetworkReachabilitySetCallback(target, { _, _, _ in }, nil)
            SCNetworkReachabilitySetDispatchQueue(target, queue)
        }
        return Member(drop: {
            if let target { SCNetworkReachabilitySetDispatchQueue(target, nil) }
        }) { isUp in
            var flags: SCNetworkReachabilityFlags = []
            guard let target, SCNetworkReachabilityGetFlags(target, &flags) else { return false }
            return flags.contains(.reachable) == isUp
        }
    }

    /// Work that waits in a waiting room, some of it only for a limited time.
    static func waiter(in room: WaitingRoom) -> Member {
        let hasEnded = Latest<Bool>()
        let deadline: Duration? = Bool.random() ? .milliseconds(Int.random(in: 100...5000)) : nil
        let task = Task {
            let policy = WaitingPolicy(.path, deadline: deadline, maximumAttempts: 1)
            try? await withConnectivity(policy, in: room) { await Task.yield() }
            hasEnded.store(true)
        }
        return Member(drop: { task.cancel() }) { isUp in !isUp || hasEnded.load() == true }
    }

    /// A connectivity monitor with a heartbeat.
    static func connectivity() -> Member {
        let latest = Latest<ConnectivityState>()
        let monitor = try? ConnectivityMonitor(
            .init(checkSpacing: .milliseconds(10), heartbeat: .init(interval: .seconds(1))), checker: PassingCheck())
        let observation = monitor?.observe(on: queue) { latest.store($0.state) }
        return Member(drop: { observation?.cancel() }) { isUp in latest.load() == (isUp ? .online : .offline) }
    }
}

/// A check that sends nothing and passes; the heartbeat's packets are answered by this machine.
private struct PassingCheck: HeartbeatTargeting {
    func check(over path: NetworkPath) async -> InternetCheck.Report { .init(verdict: .verified, checkedAt: .now) }

    func heartbeatTargets(over path: NetworkPath) -> HeartbeatTargets { .init([NetworkAddress(127, 0, 0, 1)]) }
}

/// The value that a handler received last.
private final class Latest<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func store(_ new: Value) { value.withLock { $0 = new } }
    func load() -> Value? { value.withLock { $0 } }
}
#endif
