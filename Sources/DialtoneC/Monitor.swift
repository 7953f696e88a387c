// SPDX-License-Identifier: Apache-2.0

import LibC
import NetworkModel
import Synchronization
import SystemSupport

/// Watches the path for one `dialtone_path_monitor_t`.
final class Monitor: Sendable {
    struct Settings: Sendable {
        var filter = PathFilter()
        /// Whether it verifies the Internet behind the path.
        var isVerifying = false
        var updateHandler: (@Sendable (PathState) -> Void)?
        var cancelHandler: (@Sendable () -> Void)?
    }

    private enum Phase {
        case idle
        /// Started; the subscription is nil until it has been made.
        case started(UpdateSubscription?)
        case cancelled
    }

    private struct State {
        var settings = Settings()
        var phase = Phase.idle
        var latest: PathState?
        /// Signalled while there is a path that was not copied; nil until the caller requests its descriptor.
        var event: WakeEvent?
        /// Whether a call of the handler is queued, which will get the newest path.
        var isHandlerQueued = false
    }

    private let state = Mutex(State())

    /// Changes the settings, before the start.
    func configure(_ change: (inout Settings) throws(SystemError) -> Void) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard case .idle = state.phase else { throw SystemError(EBUSY) }
            try change(&state.settings)
        }
    }

    func start() throws(SystemError) {
        let settings = try state.withLock { state throws(SystemError) in
            switch state.phase {
            case .idle: break
            case .started: throw SystemError(EALREADY)
            case .cancelled: throw SystemError(ECANCELED)
            }
            guard !state.settings.isVerifying || state.settings.filter.isUnrestricted else { throw SystemError(EINVAL) }
            state.phase = .started(nil)
            return state.settings
        }
        let receive: @Sendable (PathState) -> Void = { self.receive($0) }
        let subscription = withSignalsBlocked {
            settings.isVerifying ? PathState.subscribeVerified(receive) : PathState.subscribe(settings.filter, receive)
        }
        let isWanted = state.withLock { state in
            guard case .started = state.phase else { return false }
            state.phase = .started(subscription)
            return true
        }
        if !isWanted { subscription.cancel() }
    }

    private func receive(_ latest: PathState) {
        let (event, mustQueue) = state.withLock { state -> (WakeEvent?, Bool) in
            guard case .started = state.phase, state.latest != latest else { return (nil, false) }
            state.latest = latest
            let mustQueue = state.settings.updateHandler != nil && !state.isHandlerQueued
            if mustQueue { state.isHandlerQueued = true }
            return (state.event, mustQueue)
        }
        event?.signal()
        if mustQueue { HandlerQueue.async { self.callHandler() } }
    }

    private func callHandler() {
        let call = state.withLock { state -> (PathState, @Sendable (PathState) -> Void)? in
            state.isHandlerQueued = false
            guard case .started = state.phase, let latest = state.latest, let handler = state.settings.updateHandler
            else { return nil }
            return (latest, handler)
        }
        if let (latest, handler) = call { handler(latest) }
    }

    /// The descriptor that is readable while there is a path that was not copied.
    func descriptor() throws(SystemError) -> Int32 {
        try state.withLock { state throws(SystemError) in
            if let event = state.event { return event.number }
            if case .cancelled = state.phase { throw SystemError(ECANCELED) }
            let event = try WakeEvent()
            if state.latest != nil { event.signal() }
            state.event = event
            return event.number
        }
    }

    /// Returns the newest path, and makes the descriptor wait for the next one.
    func copy() throws(SystemError) -> PathState {
        try state.withLock { state throws(SystemError) in
            guard let latest = state.latest else { throw SystemError(EAGAIN) }
            // The signal of a path that is being received follows, and at worst reports a path that was copied already.
            state.event?.clear()
            return latest
        }
    }

    func cancel() {
        let former = state.withLock { state in
            defer {
                state.phase = .cancelled
                // The handlers refer to the caller's context.
                state.settings = Settings()
            }
            return state
        }
        guard case .started(let subscription) = former.phase else { return }
        subscription?.cancel()
        if let cancelHandler = former.settings.cancelHandler {
            withSignalsBlocked { HandlerQueue.async(cancelHandler) }
        }
    }
}
