// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import DialtoneNotifications
import Dispatch
import NetworkSimulation
import SystemSupport

/// Combines all sources of state, and publishes changes to the event streams.
final class LiveStatePublisher: Sendable {
    private struct State {
        var request: any RequestPerformer
        var scene: DemoScene?
        var simulation: Simulation?
        /// Distinguishes the events of the current simulation from those of earlier ones.
        var simulationNumber: UInt64 = 0
        /// The host of the classes that need one; nil without a configured host.
        var host: String?
        var reality: (ConnectivityObservation, UpdateSubscription)?
    }

    private let state: Mutex<State>
    /// Held while a scene begins or ends, so that no simulation starts after the return to the real network.
    private let playing = Mutex(())
    /// The publication of events, in the order of the states.
    private let queue = DeliveryQueue<@Sendable () -> Void>()
    private let monitor: ConnectivityMonitor
    private let paths: any PathSource
    private let room: WaitingRoom
    private let runner: RequestRunner
    private let hosts: HostWatch
    private let variants: VariantWatch
    private let hub: EventHub
    private let time: TimeSource
    /// The demo, if enabled.
    let demo: Demo?

    /// Creates a publisher without starting it.
    ///
    /// - Throws: `WaitingPolicyError`, which does not occur with the default configuration.
    init(
        _ monitor: ConnectivityMonitor, paths: any PathSource, request: any RequestPerformer, hosts: HostWatch,
        demo: Demo?, hub: EventHub, time: TimeSource = .system
    ) throws {
        self.monitor = monitor
        self.paths = paths
        self.demo = demo
        self.hub = hub
        self.time = time
        room = try WaitingRoom(monitor, configuration: .singleRequest)
        state = Mutex(State(request: request))
        runner = RequestRunner(time: time) { hub.publish("request", OneLineJSON.string($0)) }
        self.hosts = hosts
        variants = VariantWatch { hub.publish("variant", $0.event($1)) }
    }

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - watched: the hosts to watch for reachability.
    ///   - isPassive: whether the monitor never checks.
    ///   - onTransition: called with each transition, in order.
    func start(_ watched: [WatchedHost], isPassive: Bool, onTransition: @escaping @Sendable (Transition) -> Void) {
        let observation = monitor.observeTransitions(isPassive: isPassive) { [weak self] connectivity, transition in
            if let transition { onTransition(transition) }
            self?.publish(connectivity)
        }
        let subscription = paths.subscribe { [weak self] path in self?.receive(path) }
        let host = watched.first?.target.hostText
        state.withLock { ($0.reality, $0.host) = ((observation, subscription), host) }
        // A host that is configured twice is watched once.
        for host in watched { try? hosts.add(host, .configured) }
        // By default, no name server is queried.
        if demo != nil { variants.start(ThisMachine(), host: host ?? "localhost", monitor: monitor, room: room) }
    }

    /// Replaces the watched hosts, the interval of connections to them, and the request of the button.
    func reload(_ watched: [WatchedHost], every interval: Duration, request: any RequestPerformer) {
        state.withLock { $0.request = request }
        hosts.reload(watched, every: interval)
    }

    /// Stops watching.
    func stop() {
        runner.cancel()
        hosts.stop()
        variants.stop()
        let reality = state.withLock { state in
            defer { state.reality = nil }
            return state.reality
        }
        reality?.0.cancel()
        reality?.1.cancel()
        playing.withLock { _ in removeSimulation()?.stop() }
    }

    /// The state to show now: the real network, or the simulation in its place.
    var live: LiveState {
        let real = real
        let (scene, simulation) = state.withLock { ($0.scene, $0.simulation) }
        guard let scene, let simulation, let connectivity = simulation.connectivity else { return real }
        let path = simulation.path ?? connectivity.path
        // The next check has no time, because the simulation has a clock of its own.
        return LiveState(
            connectivity: connectivity, isChecking: demo?.monitor.isChecking ?? false,
            hosts: real.hosts.map { $0.simulated(connectivity, over: path) }, request: simulation.request,
            scene: scene, variants: simulation.rows ?? real.variants)
    }

    /// The connectivity to show now.
    var connectivity: Connectivity { state.withLock(\.simulation)?.connectivity ?? monitor.current }

    /// The last minute of the heartbeat; nil while there is none.
    var hops: HopMinute? {
        // A minute arrives with the first answer after it, which may take another one.
        monitor.hopMinutes.value.flatMap { $0.start > time.moment.realtime - 180 ? $0 : nil }
    }

    /// The state of the real network, regardless of any simulation.
    var real: LiveState {
        var live = LiveState(
            connectivity: monitor.current, nextCheck: monitor.nextCheck, isChecking: monitor.isChecking,
            hosts: hosts.rows, request: runner.progress)
        if demo != nil { live.variants = variants.rows(live.request) }
        return live
    }

    /// The current state, as the first event of a stream.
    var present: (name: String, data: String) {
        ("connectivity", connectivity.event(at: time.moment.realtime, isStream: false))
    }

    // MARK: Visitors' actions

    /// Starts the request.
    func startRequest() {
        let (simulation, request) = state.withLock { ($0.simulation, $0.request) }
        if let simulation {
            simulation.startRequest()
        } else {
            runner.start(request, in: room, monitor: monitor)
        }
    }

    /// Cancels the request.
    func cancelRequest() {
        runner.cancel()
        state.withLock { $0.simulation }?.cancelRequest()
    }

    /// Requests a check of the network that is shown.
    func requestCheck() {
        let isSimulated = state.withLock { $0.scene != nil }
        (isSimulated ? demo?.monitor : monitor)?.requestCheck()
    }

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
        hosts.restore(stored)
        return invalid
    }

    /// Simulates a scene, or (nil) shows the real network again.
    func play(_ scene: DemoScene?) {
        guard let demo else { return }
        playing.withLock { _ in
            cancelRequest()
            if let scene { play(scene, demo) } else { showReality() }
        }
    }

    private func play(_ scene: DemoScene, _ demo: Demo) {
        demo.play(scene)
        let isFirst = state.withLock { $0.simulation == nil }
        let new = isFirst ? makeSimulation(demo) : nil
        let host = state.withLock { state in
            state.scene = scene
            if let new { state.simulation = new }
            queue.append { [hub] in hub.publish("scene", OneLineJSON.string(["scene": scene.rawValue])) }
            return state.host
        }
        queue.drain { $0() }
        new?.start(host: host ?? "example.com")
    }

    private func makeSimulation(_ demo: Demo) -> Simulation? {
        let number = state.withLock { state in
            state.simulationNumber += 1
            return state.simulationNumber
        }
        return Simulation(demo) { [weak self] name, data in self?.publish(name, data, of: number) }
    }

    private func showReality() {
        removeSimulation()?.stop()
        state.withLock { _ in enqueue(monitor.current) }
        queue.drain { $0() }
    }

    private func removeSimulation() -> Simulation? {
        state.withLock { state in
            defer { (state.scene, state.simulation) = (nil, nil) }
            return state.simulation
        }
    }

    // MARK: Updates

    /// Publishes an event of a simulation, unless that has ended.
    private func publish(_ name: String, _ data: String, of number: UInt64) {
        state.withLock { state in
            guard state.simulation != nil, state.simulationNumber == number else { return }
            queue.append { [hub] in hub.publish(name, data) }
        }
        queue.drain { $0() }
    }

    private func publish(_ connectivity: Connectivity) {
        state.withLock { state in
            if state.simulation == nil { enqueue(connectivity) }
        }
        queue.drain { $0() }
        hosts.connectivityChanged(to: connectivity)
    }

    private func receive(_ path: NetworkPath) {
        state.withLock { state in
            if state.simulation == nil { queue.append { [hub] in hub.publish("path", path.event) } }
        }
        queue.drain { $0() }
    }

    private func enqueue(_ connectivity: Connectivity) {
        queue.append { [hub, time] in hub.publish("connectivity", connectivity.event(at: time.moment.realtime)) }
    }
}
