// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Synchronization

/// Admits a limited number of holders at a time; the others wait in order of arrival.
final class Turnstile: Sendable {
    /// A user has 128 inotify instances, and a lab uses two; besides, the kernel makes one change at a time.
    static let labs = Turnstile(places: 12)

    private struct State {
        var places: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(places: Int) { state = Mutex(State(places: places)) }

    /// Waits for a place, and takes it.
    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.places > 0 {
                    state.places -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Passes the place to the next in line.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.places += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
#endif
