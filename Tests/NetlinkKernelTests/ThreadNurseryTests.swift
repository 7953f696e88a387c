// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Netlink
import Synchronization
import TestSupport
import Testing

/// The basis of all other tests: their namespaces do not leak into the threads of the process.
@Suite(.requires(.networkNamespaces))
struct ThreadNurseryTests {
    @Test func `workers created from inside a namespace are not inside it`() async throws {
        let outside = try RouteNetlink().namespaceCookie
        let cookies = Mutex<[UInt64?]>([])
        let (done, gate) = (DispatchGroup(), DispatchSemaphore(value: 0))
        let count = 24
        try await NetworkNamespace().run {
            // Each keeps its thread busy until all have started, so that most of them get a new one.
            for number in 0..<count {
                DispatchQueue(label: "nursery.\(number)").async(group: done) {
                    let cookie = try? RouteNetlink().namespaceCookie
                    let isLast = cookies.withLock { cookies in
                        cookies.append(cookie)
                        return cookies.count == count
                    }
                    if isLast { for _ in 1..<count { gate.signal() } } else { gate.wait() }
                }
            }
        }
        await withCheckedContinuation { continuation in
            done.notify(queue: .global()) { continuation.resume() }
        }
        #expect(cookies.withLock { $0 } == Array(repeating: outside, count: count))
    }
}
#endif
