// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// A handler that is set on a monitor which is iterated already.
@Suite(.timeLimit(.minutes(5)))
struct LateHandlerTests {
    @Test func `receives the current path once, and then each change`() async throws {
        let uplink = ScriptedUplink(.wifi)
        let heard = Recorder<NWPath>()
        let monitor = NWPathMonitor(PathFilter(), source: uplink.source)
        defer { monitor.cancel() }
        monitor.pathUpdateHandler = { heard.record($0) }
        var iterator = monitor.makeAsyncIterator()
        _ = await iterator.next()
        monitor.start(queue: DispatchQueue(label: "late"))
        let first = try await heard.next()
        #expect(first.usesInterfaceType(.wifi))
        uplink.become(.cellular)
        _ = try await heard.next { $0.usesInterfaceType(.cellular) }
        #expect(heard.values.count == 2)
    }
}
#endif
