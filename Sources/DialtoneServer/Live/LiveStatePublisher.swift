// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import SystemSupport

/// Shows the state of an agent, or of a scene in its place, and publishes changes to the event streams.
final class LiveStatePublisher: Sendable {
    private let request: Mutex<any RequestPerformer>
    /// The publication of events, in the order of the states.
    private let queue = DeliveryQueue<@Sendable () -> Void>()
    private let agent: Agent
    private let room: WaitingRoom
    private let runner: RequestRunner
    private let hub: EventHub
    private let time: TimeSource
    /// The simulated networks, if any.
    let scenes: (any SceneSource)?

    /// Creates a publisher without starting it.
    ///
    /// - Throws: `InvalidConfiguration`, which does not occur with the default configuration.
    init(
        _ agent: Agent, request: any RequestPerformer, scenes: (any SceneSource)?, hub: EventHub,
        time: TimeSource = .system
    ) throws {
        self.agent = agent
        self.scenes = scenes
        self.hub = hub
        self.time = time
        room = try WaitingRoom(agent.monitor, configuration: .singleRequest)
        self.request = Mutex(request)
        runner = RequestRunner(time: time) { hub.publish("request", OneLineJSON.string($0)) }
    }

    /// Starts watching.
    func start() {
        scenes?.start(SceneStage(agent: agent, room: room) { [weak self] in self?.publish($0, $1, $2) })
    }

    /// Replaces the request of the button.
    func reload(request: any RequestPerformer) { self.request.withLock { $0 = request } }

    /// Stops watching.
    func stop() {
        runner.cancel()
        scenes?.stop()
    }

    /// Whether the agent's network is shown.
    private var isReal: Bool { scenes?.isPlaying != true }

    /// The state to show now: the agent's, or that of the scene in its place.
    var live: LiveState {
        let real = real
        return scenes?.live(inPlaceOf: real) ?? real
    }

    /// The connectivity to show now.
    var connectivity: Connectivity { scenes?.connectivity ?? agent.monitor.current }

    /// The state of the real network, regardless of any scene.
    var real: LiveState {
        LiveState(
            connectivity: agent.monitor.current, nextCheck: agent.monitor.nextCheck,
            isChecking: agent.monitor.isChecking, hosts: agent.hosts.rows, request: runner.progress)
    }

    /// The current state, as the first event of a stream.
    var present: (name: String, data: String) {
        ("connectivity", connectivity.event(at: time.moment.realtime, isStream: false))
    }

    // MARK: Visitors' actions

    func startRequest() {
        if let scenes, scenes.isPlaying {
            scenes.startRequest()
        } else {
            runner.start(request.withLock { $0 }, in: room, monitor: agent.monitor)
        }
    }

    func cancelRequest() {
        runner.cancel()
        scenes?.cancelRequest()
    }

    /// Requests a check of the network that is shown.
    func requestCheck() {
        if let scenes, scenes.isPlaying { scenes.requestCheck() } else { agent.monitor.requestCheck() }
    }

    /// Plays a scene, or (nil) shows the real network again.
    func play(_ name: String?) {
        guard let scenes else { return }
        cancelRequest()
        scenes.play(name)
        if name == nil { publish(agent.monitor.current) }
    }

    // MARK: Updates

    /// Publishes a value of the agent's monitor, unless a scene is shown in its place.
    func publish(_ connectivity: Connectivity) {
        publish("connectivity", connectivity.event(at: time.moment.realtime)) { isReal }
    }

    /// Publishes an event if a condition holds.
    ///
    /// Under the lock, so that no event of a network follows the first event of the network that took its place.
    private func publish(_ name: String, _ data: String, _ condition: () -> Bool) {
        request.withLock { _ in
            if condition() { queue.append { [hub] in hub.publish(name, data) } }
        }
        queue.drain { $0() }
    }
}
