// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// The server's state and its threads: one that accepts, and one for each connection.
final class Server: Sendable {
    struct State {
        var behavior: ScriptedInternet.Behavior
        var captivePortalAPI = ScriptedInternet.Response.captivePortalAPI(captive: false)
        var requests: [ScriptedInternet.RecordedRequest] = []
        var current = 0
        var peak = 0
        var presented: Identity?
    }

    /// More connections at a time than this are turned away.
    ///
    /// Several checks at once keep some hundred open: each one measures loss with up to 32 connections.
    private static let most = 1024

    private let listeners: [Listener]
    private let identities: Identities
    let state: Mutex<State>
    let total = EventCounter()
    let interrupt: WakeEvent
    private let wakeup: WakeEvent

    init(_ listeners: [Listener], _ identities: Identities, _ behavior: ScriptedInternet.Behavior)
        throws(ScriptingError)
    {
        self.listeners = listeners
        self.identities = identities
        state = Mutex(State(behavior: behavior))
        do {
            interrupt = try WakeEvent()
            wakeup = try WakeEvent()
            play(behavior)
            try ThreadStarter.system.start("scripted.accept") { [self] in accept() }
        } catch is ThreadStarter.Refused {
            throw ScriptingError("no thread")
        } catch {
            throw ScriptingError("no socket: \(error)")
        }
    }

    func play(_ behavior: ScriptedInternet.Behavior) {
        state.withLock { state in
            state.behavior = behavior
            // Under the lock, so that of behaviors set at the same time, the last one determines all listeners.
            for listener in listeners { listener.setOpen(connectionBehavior(of: listener, in: behavior) != .closed) }
        }
        wakeup.signal()
    }

    /// Counts a connection, and returns the behavior for it; nil if there are too many.
    private func enter() -> ScriptedInternet.Behavior? {
        let behavior: ScriptedInternet.Behavior? = state.withLock { state in
            guard state.current < Self.most else { return nil }
            state.current += 1
            state.peak = max(state.peak, state.current)
            return state.behavior
        }
        guard let behavior else { return nil }
        // Only one thread accepts, so the behaviors follow each other in order.
        let turn = total.increment()
        return behavior.turns.isEmpty ? behavior : behavior.turns[turn % behavior.turns.count]
    }

    private func connectionBehavior(of listener: Listener, in behavior: ScriptedInternet.Behavior)
        -> ScriptedInternet.Behavior.ConnectionBehavior
    {
        switch listener.kind {
        case .http: behavior.http
        case .https: behavior.https
        case .captivePortalAPI: .open
        }
    }

    private func accept() {
        while true {
            let open = state.withLock { state in
                listeners.filter { connectionBehavior(of: $0, in: state.behavior) != .closed }
            }
            let numbers = open.map(\.socket.number)
            let wait = PollSet.wait(readable: numbers + [wakeup.number], until: nil, interrupt)
            if case .interrupted = wait.outcome { return }
            wakeup.clear()
            for listener in open where wait.ready.contains(listener.socket.number) {
                while let socket = try? Sockets.acceptConnection(listener.socket) { serve(socket, listener) }
            }
        }
    }

    private func serve(_ socket: Descriptor, _ listener: Listener) {
        guard let behavior = enter() else { return }
        let connectionBehavior = self.connectionBehavior(of: listener, in: behavior)
        let presented = connectionBehavior == .open ? state.withLock { $0.presented } : nil
        let connection = Connection(
            stream: ByteStream(socket, KernelSockets(interrupt)), isSecure: listener.isSecure,
            connectionBehavior: connectionBehavior,
            identity: presented ?? identities[connectionBehavior]
        ) { [self] request in
            state.withLock { state in
                state.requests.append(request)
                return listener.kind == .captivePortalAPI ? state.captivePortalAPI : nil
            } ?? behavior.response(request)
        }
        do {
            // The connection goes to its thread and is used nowhere else.
            nonisolated(unsafe) let connection = connection
            try ThreadStarter.system.start("scripted.serve") { [self] in
                unsafe connection.serve()
                state.withLock { $0.current -= 1 }
            }
        } catch {
            state.withLock { $0.current -= 1 }
        }
    }
}
