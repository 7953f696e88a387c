// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension HostRouting {
    /// The current view of some addresses; nil if the task is cancelled first.
    package func view(of addresses: Set<NetworkAddress>) async -> HostView? {
        let first = FirstView()
        let watch = watch(addresses) { first.give($0) }
        defer { watch.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { first.await($0) }
        } onCancel: {
            first.give(nil)
        }
    }
}

/// Passes the first value to the one waiter.
private final class FirstView: Sendable {
    private enum State {
        case new
        case awaited(CheckedContinuation<HostView?, Never>)
        case given(HostView?)
        case done
    }

    private let state = Mutex(State.new)

    func give(_ view: HostView?) {
        let continuation = state.withLock { state -> CheckedContinuation<HostView?, Never>? in
            switch state {
            case .new: state = .given(view)
            case .awaited(let continuation):
                state = .done
                return continuation
            case .given, .done: break
            }
            return nil
        }
        continuation?.resume(returning: view)
    }

    func await(_ continuation: CheckedContinuation<HostView?, Never>) {
        let given = state.withLock { state -> HostView?? in
            guard case .given(let view) = state else {
                state = .awaited(continuation)
                return nil
            }
            state = .done
            return .some(view)
        }
        if let given { continuation.resume(returning: given) }
    }
}
