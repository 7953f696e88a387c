// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneServer
import NetworkSimulation
import SystemSupport

/// The observers of the simulated network, with their last values.
///
/// It lasts from a visitor's first scene until the visitor returns to the real network; nothing simulated outlives it.
final class Simulation: Sendable {
    /// Publishes an event of the simulated network.
    typealias Publish = @Sendable (_ name: String, _ data: String) -> Void

    private struct State {
        var connectivity: Connectivity?
        var path: NetworkPath?
        var observation: ConnectivityObservation?
        var subscription: UpdateSubscription?
    }

    private let state = Mutex(State())
    private let demo: Demo
    private let room: WaitingRoom
    private let runner: RequestRunner
    /// The simulated network by each class; nil on Apple platforms, whose classes observe only this machine's.
    private let variants: VariantWatch?
    private let publish: Publish

    /// Creates a simulation without starting it; nil if the waiting room's configuration is invalid, which does not happen.
    init?(_ demo: Demo, publish: @escaping Publish) {
        guard let room = try? WaitingRoom(demo.monitor, configuration: .singleRequest) else { return nil }
        self.demo = demo
        self.room = room
        self.publish = publish
        runner = RequestRunner(time: demo.time) { publish("request", OneLineJSON.string($0)) }
        variants = demo.variantSource.map { _ in VariantWatch { publish("variant", $0.event($1)) } }
    }

    /// - Parameter host: the host of the classes that need one.
    func start(host: String) {
        let observation = demo.monitor.observe(on: .global()) { [weak self, demo] connectivity in
            self?.state.withLock { $0.connectivity = connectivity }
            self?.publish("connectivity", connectivity.event(at: demo.time.moment.realtime))
        }
        let subscription = demo.network.subscribe { [weak self] path in
            self?.state.withLock { $0.path = path }
        }
        state.withLock { ($0.observation, $0.subscription) = (observation, subscription) }
        if let source = demo.variantSource {
            variants?.start(source, host: host, monitor: demo.monitor, room: room)
        }
    }

    /// Ends the scene, the request and the observers.
    func stop() {
        runner.cancel()
        variants?.stop()
        let (observation, subscription) = state.withLock { ($0.observation, $0.subscription) }
        observation?.cancel()
        subscription?.cancel()
        demo.stop()
    }

    /// The connectivity; nil until the monitor has reported one.
    var connectivity: Connectivity? { state.withLock { $0.connectivity } }

    /// The path; nil until the network has reported one.
    var path: NetworkPath? { state.withLock { $0.path } }

    /// The progress of the last request on the simulated network.
    var request: RequestProgress { runner.progress }

    /// The rows of the classes; nil on Apple platforms.
    var rows: [VariantRow]? { variants?.rows(runner.progress) }

    /// Starts a request on the simulated network.
    func startRequest() { runner.start(demo, in: room, monitor: demo.monitor) }

    func cancelRequest() { runner.cancel() }
}

extension Variant {
    /// The data of the event `variant`.
    func event(_ value: String) -> String { OneLineJSON.string(["name": rawValue, "value": value]) }
}
