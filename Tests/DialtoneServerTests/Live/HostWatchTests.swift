// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import TestSupport
import Testing

@testable import DialtoneAgent
@testable import DialtoneServer

@Suite(.real, .timeLimit(.minutes(1)))
struct HostWatchTests {
    private static func connectivity(_ state: ConnectivityState, _ status: NetworkPath.Status) -> Connectivity {
        Connectivity(state: state, path: NetworkPath(status: status), since: .wall)
    }

    /// A watch, and its changes.
    private static func watch(_ served: ServedNetwork) -> (watch: HostWatch, rows: Recorder<HostRow>) {
        let unknown = connectivity(.unknown, .unsatisfied)
        let watch = HostWatch({ unknown }, interval: .seconds(3600), connects: true, history: served.history)
        let rows = Recorder<HostRow>()
        _ = watch.changes.subscribe { rows.record($0) }
        return (watch, rows)
    }

    @Test func `no host is connected to before the first state, and while a link would have to be dialled`()
        async throws
    {
        let served = try await ServedNetwork()
        let host = try WatchedHost("127.0.0.1:\(served.port)")
        let (watch, rows) = Self.watch(served)
        watch.add(host)
        // Each of these connects later than that host would, and takes as long.
        for _ in 0..<3 {
            let (other, connected) = Self.watch(served)
            other.connectivityChanged(to: Self.connectivity(.online, .satisfied))
            other.add(host)
            _ = try await connected.next { $0.report?.connection?.value != nil }
            other.stop()
        }
        watch.connectivityChanged(to: Self.connectivity(.requiresConnection, .requiresConnection))
        let first = try await rows.next()
        #expect(first.report != nil && first.report?.connection == nil, "\(first)")
        watch.connectivityChanged(to: Self.connectivity(.online, .satisfied))
        _ = try await rows.next { $0.report?.connection?.value != nil }
        watch.stop()
    }
}
