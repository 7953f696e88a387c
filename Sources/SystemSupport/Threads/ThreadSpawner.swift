// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Dispatch
import Synchronization

/// Starts threads from one thread, so that all of them run in the network namespace of the first caller.
///
/// Entering a namespace would need a capability.
package final class ThreadSpawner: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        var requests: [(work: Work, refused: Work)] = []
        var hasThread = false
        var isClosed = false
    }

    private let name: String
    private let state = Mutex(State())
    private let mustWork = DispatchSemaphore(value: 0)

    /// Creates a spawner for threads of this name.
    package init(name: String) { self.name = name }

    /// Starts a thread for the work, or calls `refused`, as a rule after this returns.
    package func start(_ work: @escaping Work, refused: @escaping Work) {
        let mustStart = state.withLock { state in
            state.requests.append((work, refused))
            defer { state.hasThread = true }
            return !state.hasThread
        }
        do {
            if mustStart { try DedicatedThread.start(name: "dialtone.names") { self.run() } }
        } catch {
            // The next request tries again.
            state.withLock { $0.hasThread = false }
            for request in dequeue().requests { request.refused() }
        }
        mustWork.signal()
    }

    /// Ends the thread that starts the others.
    package func close() {
        state.withLock { $0.isClosed = true }
        mustWork.signal()
    }

    private func dequeue() -> (requests: [(work: Work, refused: Work)], isClosed: Bool) {
        state.withLock { state in
            defer { state.requests = [] }
            return (state.requests, state.isClosed)
        }
    }

    private func run() {
        while true {
            mustWork.wait()
            let (requests, isClosed) = dequeue()
            for request in requests {
                do {
                    try DedicatedThread.start(name: name, request.work)
                } catch {
                    request.refused()
                }
            }
            if isClosed { return }
        }
    }
}
#endif
