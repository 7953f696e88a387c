// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import DialtoneNotifications
import Dispatch
import NetworkSimulation
import Synchronization
import SystemSupport

/// Combines all sources of state, and publishes changes to the event streams.
final class LiveStatePublisher: Sendable {
    private struct State {
        var real: Connectivity
        var realPath: NetworkPath?
        var simulated: Connectivity?
        var simulatedPath: NetworkPath?
        var scene: DemoScene?
        var reality: (ConnectivityObservation, UpdateSubscription)?
        var simulation: (ConnectivityObservation, UpdateSubscription)?
    }

    private let state: Mutex<State>
    /// The publication of events, in the order of the states.
    private let queue = DeliveryQueue<@Sendable () -> Void>()
    private let monitor: ConnectivityMonitor
    private let paths: any PathSource
    private let request: any RequestPerformer
    private let room: WaitingRoom
    private let demoRoom: WaitingRoom?
    private let runner: RequestRunner
    private let hosts: HostWatch
    private let variants: VariantWatch
    private let hub: EventHub
    /// The demo, if enabled.
    let demo: Demo?

    /// Creates a publisher without starting it.
    ///
    /// - Throws: `WaitingPolicyError`, which does not occur with the default configuration.
    init(
        _ monitor: ConnectivityMonitor, paths: any PathSource, request: any RequestPerformer, hosts: HostWatch,
        demo: Demo?, hub: EventHub
    ) throws {
        self.monitor = monitor
        self.paths = paths
        self.request = request
        self.demo = demo
        self.hub = hub
        var configuration = WaitingRoom.Configuration()
        // A single request needs no spreading.
        configuration.releaseSpread = .zero
        room = try WaitingRoom(monitor, configuration: configuration)
        demoRoom = try demo.map { try WaitingRoom($0.monitor, configuration: configuration) }
        state = Mutex(State(real: monitor.current))
        runner = RequestRunner { hub.publish("request", OneLineJSON.string($0)) }
        self.hosts = hosts
        variants = VariantWatch { hub.publish("variant", OneLineJSON.string(["name": $0.rawValue, "value": $1])) }
    }

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - watched: the hosts to watch for reachability.
    ///   - record: called with each value of the monitor, in order, to record it in the history.
    func start(_ watched: [WatchedHost], record: @escaping @Sendable (Connectivity) -> Void) {
        let observation = monitor.observe(on: .global()) { [weak self] connectivity in
            record(connectivity)
            self?.receive(connectivity, isSimulated: false)
        }
        let subscription = paths.subscribe { [weak self] path in self?.receive(path, isSimulated: false) }
        state.withLock { $0.reality = (observation, subscription) }
        // A host that is configured twice is watched once.
        for host in watched { try? hosts.add(host, .configured) }
        if demo != nil { variants.start(host: watched.first?.target.hostText ?? "localhost") }
    }

    /// Stops watching.
    func stop() {
        runner.cancel()
        hosts.stop()
        variants.stop()
        let watches = state.withLock { state in
            defer { (state.reality, state.simulation) = (nil, nil) }
            return [state.reality, state.simulation].compactMap(\.self)
        }
        for (observation, subscription) in watches {
            observation.cancel()
            subscription.cancel()
        }
    }

    /// The state to show now: the real network, or the simulation in its place.
    var live: LiveState {
        let real = real
        return state.withLock { state in
            guard let scene = state.scene, let connectivity = state.simulated else { return real }
            let path = state.simulatedPath ?? connectivity.path
            return LiveState(
                connectivity: connectivity, path: path,
                hosts: real.hosts.map { $0.simulated(connectivity, over: path) }, request: real.request, scene: scene,
                variants: real.variants)
        }
    }

    /// The connectivity to show now.
    var connectivity: Connectivity {
        let newest = monitor.current
        return state.withLock { state in
            (state.scene == nil ? nil : state.simulated) ?? Self.real(state, newest)
        }
    }

    /// A check that confirms the previous one does not trigger an event, but its evidence is newer.
    private static func real(_ state: State, _ newest: Connectivity) -> Connectivity {
        newest.state == state.real.state ? newest : state.real
    }

    /// The state of the real network, regardless of any simulation.
    var real: LiveState {
        let (rows, request, newest) = (hosts.rows, runner.progress, monitor.current)
        var live = state.withLock { state in
            LiveState(
                connectivity: Self.real(state, newest), path: state.realPath, hosts: rows, request: request)
        }
        if demo != nil { live.variants = variantRows(live) }
        return live
    }

    private func variantRows(_ live: LiveState) -> [VariantRow] {
        variants.rows.map { VariantRow(name: $0.variant.rawValue, value: $0.value) } + [
            VariantRow(name: "NetworkPath", value: live.path?.status == .satisfied ? "reachable" : "not reachable"),
            VariantRow(
                name: "ConnectivityMonitor",
                value: HistoryWording.state(HistoryState(live.connectivity.state)).sentenceCased),
            VariantRow(name: "Last request", value: live.request.kind.rawValue),
        ]
    }

    /// The current state, as the first event of a stream.
    var present: (name: String, data: String) { Self.event(connectivity, isStream: false) }

    // MARK: Visitors' actions

    /// Starts the request.
    func startRequest() {
        let isSimulated = state.withLock { $0.scene != nil }
        if isSimulated, let demo, let demoRoom {
            runner.start(demo, in: demoRoom, monitor: demo.monitor)
        } else {
            runner.start(request, in: room, monitor: monitor)
        }
    }

    /// Cancels the request.
    func cancelRequest() { runner.cancel() }

    /// Watches a host that a visitor entered.
    func add(_ host: WatchedHost) throws(HostWatch.Refusal) { try hosts.add(host, demo == nil ? .added : .visitor) }

    /// Stops watching a host that was added on the page.
    func remove(hostNamed name: String) { if demo == nil { hosts.remove(name) } }

    /// Watches the hosts that were added in earlier runs, and adds the checks of those runs.
    ///
    /// Visitors of a demo could not remove the hosts, and must not see them.
    ///
    /// - Returns: the names that are not valid on this machine any more.
    func restore(_ stored: StoredHosts) -> [String] {
        let invalid = (demo == nil ? stored.added : []).filter { name in
            guard let host = try? WatchedHost(name) else { return true }
            try? hosts.add(host, .added, isStored: true)
            return false
        }
        hosts.restore(stored.periods)
        return invalid
    }

    /// Simulates a scene, or (nil) shows the real network again.
    func play(_ scene: DemoScene?) {
        guard let demo else { return }
        runner.cancel()
        guard let scene else {
            let newest = monitor.current
            let old = state.withLock { state in
                defer { (state.scene, state.simulation, state.simulated) = (nil, nil, nil) }
                enqueue(Self.real(state, newest))
                return state.simulation
            }
            old?.0.cancel()
            old?.1.cancel()
            queue.drain { $0() }
            return
        }
        demo.play(scene)
        let isNew = state.withLock { state in
            state.scene = scene
            queue.append { [hub] in hub.publish("scene", OneLineJSON.string(["scene": scene.rawValue])) }
            return state.simulation == nil
        }
        queue.drain { $0() }
        if isNew {
            let observation = demo.monitor.observe(on: .global()) { [weak self] in self?.receive($0, isSimulated: true)
            }
            let subscription = demo.network.subscribe { [weak self] in self?.receive($0, isSimulated: true) }
            state.withLock { $0.simulation = (observation, subscription) }
        }
    }

    // MARK: Updates

    private func receive(_ connectivity: Connectivity, isSimulated: Bool) {
        state.withLock { state in
            if isSimulated { state.simulated = connectivity } else { state.real = connectivity }
            if isSimulated == (state.scene != nil) { enqueue(connectivity) }
        }
        queue.drain { $0() }
        if !isSimulated { hosts.connectivityChanged(to: connectivity) }
    }

    private func receive(_ path: NetworkPath, isSimulated: Bool) {
        state.withLock { state in
            if isSimulated { state.simulatedPath = path } else { state.realPath = path }
            if isSimulated == (state.scene != nil) {
                queue.append { [hub] in hub.publish("path", OneLineJSON.string(["status": path.status.reportName])) }
            }
        }
        queue.drain { $0() }
    }

    private func enqueue(_ connectivity: Connectivity) {
        queue.append { [hub] in
            let (name, data) = Self.event(connectivity, isStream: true)
            hub.publish(name, data)
        }
    }

    private static func event(_ connectivity: Connectivity, isStream: Bool) -> (name: String, data: String) {
        let report = StatusReport(connectivity, at: .now, isStream: isStream)
        return ("connectivity", OneLineJSON.string(report))
    }
}
