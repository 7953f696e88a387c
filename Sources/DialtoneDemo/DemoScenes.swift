// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import DialtoneServer
import SystemSupport

final class DemoScenes: SceneSource {
    private struct State {
        var stage: SceneStage?
        var scene: DemoScene?
        var simulation: Simulation?
        /// Distinguishes the events of the current simulation from those of earlier ones.
        var number: UInt64 = 0
        /// The real network by each class.
        var variants: VariantWatch?

        /// The host of the classes that need one; nil without a configured host.
        var host: String? { stage?.agent.configuration.hosts.first?.target.hostText }
    }

    private let state = Mutex(State())
    /// Held while a scene begins or ends, so that no simulation starts after the return to the real network.
    private let playing = Mutex(())
    private let demo: Demo

    init(time: TimeSource = .system) throws(InvalidConfiguration) { demo = try Demo(time: time) }

    func start(_ stage: SceneStage) {
        let variants = VariantWatch { stage.publish("variant", $0.event($1)) { true } }
        let host = state.withLock { state in
            (state.stage, state.variants) = (stage, variants)
            return state.host
        }
        // By default, no name server is queried.
        variants.start(ThisMachine(), host: host ?? "localhost", monitor: stage.agent.monitor, room: stage.room)
    }

    func stop() {
        state.withLock(\.variants)?.stop()
        playing.withLock { _ in removeSimulation()?.stop() }
    }

    var isPlaying: Bool { simulation != nil }

    var connectivity: Connectivity? { simulation?.connectivity }

    private var simulation: Simulation? { state.withLock(\.simulation) }

    func live(inPlaceOf real: LiveState) -> LiveState? {
        let (scene, simulation) = state.withLock { ($0.scene, $0.simulation) }
        guard let scene, let simulation, let connectivity = simulation.connectivity else { return nil }
        let path = simulation.path ?? connectivity.path
        // The next check has no time, because the simulation has its own clock.
        return LiveState(
            connectivity: connectivity, isChecking: demo.monitor.isChecking,
            hosts: real.hosts.map { $0.simulated(connectivity, over: path) }, request: simulation.request,
            scene: ShownScene(name: scene.rawValue, title: scene.title))
    }

    func markup(of live: LiveState) -> SceneMarkup {
        let scene = live.scene.flatMap { DemoScene(rawValue: $0.name) }
        let (simulation, variants) = state.withLock { ($0.simulation, $0.variants) }
        let rows = (scene == nil ? nil : simulation?.rows) ?? variants?.rows(live.request) ?? []
        return SceneMarkup(
            banner: DemoSection.banner(scene), controls: DemoSection.html(scene),
            classes: ClassesSection.html(rows, of: scene))
    }

    func history(endingWith current: HistoryTransition, at now: Date) -> any SceneHistory {
        DemoHistory(current: current, now: now)
    }

    func hasScene(_ name: String) -> Bool { DemoScene(rawValue: name) != nil }

    func play(_ name: String?) {
        playing.withLock { _ in
            if let scene = name.flatMap(DemoScene.init(rawValue:)) {
                play(scene)
            } else {
                removeSimulation()?.stop()
            }
        }
    }

    private func play(_ scene: DemoScene) {
        demo.play(scene)
        let new = isPlaying ? nil : makeSimulation()
        let (stage, host) = state.withLock { state in
            state.scene = scene
            if let new { state.simulation = new }
            return (state.stage, state.host)
        }
        stage?.publish("scene", OneLineJSON.string(["scene": scene.rawValue])) { true }
        new?.start(host: host ?? "example.com")
    }

    private func makeSimulation() -> Simulation? {
        let (number, stage) = state.withLock { state in
            state.number += 1
            return (state.number, state.stage)
        }
        return Simulation(demo) { [weak self] name, data in
            stage?.publish(name, data) { self?.isCurrent(number) == true }
        }
    }

    private func isCurrent(_ number: UInt64) -> Bool {
        state.withLock { $0.simulation != nil && $0.number == number }
    }

    private func removeSimulation() -> Simulation? {
        state.withLock { state in
            defer { (state.scene, state.simulation) = (nil, nil) }
            return state.simulation
        }
    }

    func requestCheck() { demo.monitor.requestCheck() }

    func startRequest() { simulation?.startRequest() }

    func cancelRequest() { simulation?.cancelRequest() }
}
