// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import Netlink
@testable import NetworkState
import Synchronization
import SystemSupport
import TestSupport
import Testing

/// A source whose thread cannot be created at first.
@Suite(.timeLimit(.minutes(5)))
struct KernelSourceTests {
    /// Fails to start a thread the first times.
    private final class Starter: Sendable {
        private let failuresLeft: Mutex<Int>

        init(failures: Int) { failuresLeft = Mutex(failures) }

        func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
            let mustFail = failuresLeft.withLock { left in
                left -= 1
                return left >= 0
            }
            if mustFail { throw SystemError(NetlinkError.Errno.wouldBlock.rawValue) }
            try DedicatedThread.start(name: name, body)
        }

        var tries: Int { failuresLeft.withLock { -$0 } }
    }

    private func source(_ starter: Starter, firstRetry: Double = 0.01) -> KernelSource {
        let pace = KernelPace(firstRetry: firstRetry, longestRetry: firstRetry * 4)
        return KernelSource(pace: pace) { (name, body) throws(SystemError) in
            try starter.start(name, body)
        }
    }

    @Test(.real) func `starting is retried until it succeeds, and subscribers receive the state`() async throws {
        let starter = Starter(failures: 4)
        let updates = Recorder<Visibility>()
        let subscription = source(starter).subscribe { updates.record($0.snapshot.visibility) }
        guard case .unavailable(let error) = try await updates.next() else {
            Issue.record("it can be seen without a thread")
            return
        }
        #expect(error.operation == "pthread_create")
        _ = try await updates.next {
            if case .unavailable(let error) = $0 { error.operation != "pthread_create" } else { true }
        }
        // A running thread is not started again.
        #expect(starter.tries == 1)
        subscription.cancel()
    }

    @Test(.real) func `starting is not retried without subscribers`() async throws {
        let starter = Starter(failures: 1)
        weak var remaining: KernelSource?
        do {
            let source = source(starter, firstRetry: 5)
            remaining = source
            source.subscribe { _ in }.cancel()
        }
        // The scheduled retry holds the source until it has found that there is no subscriber.
        #expect(remaining != nil)
        try await eventually { remaining == nil }
        #expect(starter.tries == 0)
    }
}
#endif
