// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import SystemSupport
import TestSupport
import Testing

@testable import Dialtone
@testable import DialtoneTesting

/// What a heartbeat over a network in memory passes on when it ends.
struct HeartbeatEndTests {
    @Test func `a heartbeat that ends passes on the last drop, and the packets of the last minute`() {
        let network = ScriptedNetwork()
        var silent = NetworkChain.home
        silent[.provider].passing = [.drops]
        network.play(silent, after: .seconds(125))
        network.play(.home, after: .seconds(140))
        let sockets = ScriptedSockets(network)
        let found = Recorder<HeartbeatThread.Finding>()
        let questions = Recorder<HopObservation>()
        var beats = HeartbeatThread.Beats(
            machine: HeartbeatMachine(.init()), sockets: HeartbeatSockets(sockets), time: sockets.time
        ) {
            if case .observed(let observation) = $0 { questions.record(observation) }
        } onFinding: {
            found.record($0)
        }
        let home = NetworkChain.home
        beats.update(
            HeartbeatSituation(network: 1, path: home.path, checkStart: .zero, state: .online),
            HeartbeatTargets(.publicResolvers, nameServers: home.nameServers))
        while sockets.elapsed < .seconds(185) { beats.run() }
        func drops() -> [Silence] {
            found.values.compactMap { if case .silence(let silence) = $0, silence.isDrop { silence } else { nil } }
        }
        func sent() -> Int {
            found.values.compactMap {
                if case .minute(let minute) = $0 { minute.hops.values.map(\.sent).reduce(0, +) } else { nil }
            }.reduce(0, +)
        }
        #expect(drops().isEmpty && sent() < questions.values.count)
        beats.end()
        let bounds = drops().map { HeartbeatRig.bounds($0).map { $0 ?? 0 } }
        #expect(bounds.map { $0[0] <= 125 && 125 <= $0[1] && $0[2] <= 140 && 140 <= $0[3] } == [true], "\(bounds)")
        #expect(sent() == questions.values.count)
        // Once.
        beats.end()
        #expect(drops().count == 1 && sent() == questions.values.count)
    }
}
#endif
