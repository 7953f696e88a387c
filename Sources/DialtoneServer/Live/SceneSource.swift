// SPDX-License-Identifier: Apache-2.0

package import Dialtone
package import DialtoneAgent
package import DialtoneHistory

/// Simulated networks, which visitors of the page can show in place of the agent's.
package protocol SceneSource: Sendable {
    /// Starts; no scene is played yet.
    func start(_ stage: SceneStage)
    /// Ends the scene, and everything else.
    func stop()

    var isPlaying: Bool { get }
    /// The connectivity of the scene; nil while the real network is shown, and before the scene has one.
    var connectivity: Connectivity? { get }
    /// The state of the scene in place of the real one; nil as `connectivity` is.
    func live(inPlaceOf real: LiveState) -> LiveState?
    /// The parts of the page besides the state.
    func markup(of live: LiveState) -> SceneMarkup
    /// A generated history that ends with the state of the scene.
    func history(endingWith current: HistoryTransition, at now: Date) -> any SceneHistory

    /// Whether there is a scene with this name.
    func hasScene(_ name: String) -> Bool
    /// Plays the scene with this name, or (nil) shows the real network again.
    func play(_ name: String?)
    /// Checks the network of the scene.
    func requestCheck()
    /// Starts the button's request on the network of the scene.
    func startRequest()
    func cancelRequest()
}

/// The real state, which the page has without a scene.
package struct SceneStage: Sendable {
    /// The agent whose network is shown without a scene.
    package let agent: Agent
    /// A waiting room that follows the agent's monitor.
    package let room: WaitingRoom
    /// Publishes an event to the streams, if a condition holds at that moment.
    package let publish: @Sendable (_ name: String, _ data: String, _ condition: () -> Bool) -> Void
}

/// A scene that the page names.
package struct ShownScene: Hashable, Sendable {
    package let name: String
    package let title: String

    package init(name: String, title: String) { (self.name, self.title) = (name, title) }
}

/// The parts of the page that a source of scenes adds.
package struct SceneMarkup: Sendable {
    /// Says above everything else that a scene is played; empty for the real network.
    package let banner: HTML
    /// The buttons of the scenes.
    package let controls: HTML
    /// The network by each class of the libraries.
    package let classes: HTML

    package init(banner: HTML, controls: HTML, classes: HTML) {
        (self.banner, self.controls, self.classes) = (banner, controls, classes)
    }
}

/// A history that is generated, never recorded.
package protocol SceneHistory: Sendable {
    func timeline(from start: Date, to end: Date) -> TimelineOverview
    func checks(from start: Date, to end: Date) -> [CheckSummary]
    func hops(from start: Date, to end: Date) -> [HopPeriod]
}

extension WaitingRoom.Configuration {
    /// For a room with one request, which needs no spreading.
    package static var singleRequest: Self {
        var configuration = Self()
        configuration.releaseSpread = .zero
        return configuration
    }
}

// The data of events.

extension Connectivity {
    /// The data of the event `connectivity`.
    package func event(at now: Date, isStream: Bool = true) -> String {
        OneLineJSON.string(StatusReport(self, at: now, isStream: isStream))
    }
}
