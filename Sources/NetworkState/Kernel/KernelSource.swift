// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CLinux
import Dispatch
import LibC
public import Netlink
import SystemSupport

/// The live kernel state: one set of sockets and one thread per network namespace, shared by all subscribers.
///
/// The thread runs while there are subscribers, and sleeps in the kernel between events.
public final class KernelSource: NetworkStateSource {
    /// Starts a named thread.
    typealias ThreadStart = @Sendable (String, @escaping @Sendable () -> Void) throws(SystemError) -> Void

    private struct State {
        var subscribers = SubscriberList()
        /// The questions that wait for the thread.
        var questions: [StateQuestion] = []
        var isRunning = false
        var wakeEvent: WakeEvent?
        /// The pauses between attempts to start the thread.
        var backoff: ExponentialBackoff
        /// Whether the routes must be looked up again without an event.
        var mustReread = false
        /// Whether another attempt to start the thread is scheduled.
        var willRetry = false

        mutating func dequeueQuestions() -> [StateQuestion] {
            defer { questions = [] }
            return questions
        }
    }

    private let state: Mutex<State>
    private let pace: KernelPace
    private let resolverFiles: ResolvConfWatch.Files
    private let startThread: ThreadStart

    /// Returns the source of the calling thread's network namespace.
    ///
    /// Subscribe from a thread in that namespace: the first subscription starts the source's thread, which inherits it.
    public static func shared() -> KernelSource {
        let key = NamespaceIdentity.current()
        return registry.withLock { registry in
            if let source = registry.first(where: { $0.namespace == key })?.source { return source }
            let source = KernelSource()
            registry = registry.filter { $0.source != nil && $0.namespace != key }
            registry.append(WeakSource(namespace: key, source: source))
            return source
        }
    }

    /// Whether this process was forked from the one that loaded the library, and has not called `exec` since.
    ///
    /// Of the parent's threads it has only the one that forked: neither Dispatch's nor those of the parent's sources.
    package static var isInForkedChild: Bool { CLinux_isForkedChild() }

    /// Reads the current links of the calling thread's network namespace, without watching them.
    ///
    /// - Throws: an error if the kernel or a sandbox refuses access.
    public static func currentInterfaces() throws(NetlinkError) -> [NetworkInterface] {
        var reader = try KernelReader()
        try reader.reload()
        return reader.interfaces()
    }

    /// Makes every source of this process reread state whose changes are not announced.
    static func refreshAll() {
        let sources = registry.withLock { $0.compactMap(\.source) }
        for source in sources { source.wakeEvent?.signal() }
    }

    /// Makes every running source of this process look up again where packets go.
    ///
    /// The kernel does not announce some settings that decide this, such as `fib_multipath_use_neigh`.
    package static func rereadAll() {
        for source in registry.withLock({ $0.compactMap(\.source) }) { source.reread() }
    }

    /// Looks up again where packets go, if there are subscribers.
    func reread() {
        state.withLock { $0.mustReread = $0.isRunning }
        wakeEvent?.signal()
    }

    /// Returns the current state of the calling thread's network namespace: the path, the routes to hosts and the name
    /// servers.
    ///
    /// If a source runs there, its thread answers. It handles the events that have arrived, and looks up only those hosts
    /// that nothing watches. Otherwise, and if the thread cannot answer, another thread reads the kernel once. Either way
    /// the state is no older than the call, no thread of the concurrency runtime waits, and nothing is watched.
    ///
    /// - Parameters:
    ///   - hosts: the lookups of individual hosts that the state must contain.
    ///   - seconds: how long to wait for NetworkManager's metering information if no source runs; 0 skips it.
    ///   - more: returns more lookups, which depend on the state; called on another thread, quickly.
    /// - Returns: the state; if the kernel or a sandbox refuses access, its visibility says so. Nil if the task is
    ///   cancelled first.
    package static func state(
        of hosts: Set<RouteLookup> = [], awaitingCosts seconds: Double = 0,
        then more: @escaping @Sendable (EvaluatedSnapshot) -> Set<RouteLookup> = { _ in [] }
    ) async -> EvaluatedSnapshot? {
        if let state = await shared().state(of: hosts, then: more) { return state }
        if Task.isCancelled { return nil }
        let read = { @Sendable in currentState(hosts: hosts, awaitingCosts: seconds, then: more) }
        // The thread starts in the network namespace of the calling thread.
        return (try? await ThreadStarter.system.run("dialtone.read", read)) ?? currentState(hosts: hosts, then: more)
    }

    /// Returns the state as this source's thread knows it; nil if no thread is running, or it cannot answer, or if the task
    /// is cancelled first.
    func state(
        of hosts: Set<RouteLookup>, then more: @escaping @Sendable (EvaluatedSnapshot) -> Set<RouteLookup>
    ) async -> EvaluatedSnapshot? {
        let (answers, continuation) = AsyncStream.makeStream(
            of: EvaluatedSnapshot?.self, bufferingPolicy: .bufferingOldest(1))
        ask(StateQuestion(hosts, then: more) { continuation.yield($0) })
        // The stream ends when the task is cancelled.
        return await answers.first { _ in true } ?? nil
    }

    /// Passes a question to the thread; releases it if no thread is running.
    private func ask(_ question: StateQuestion) {
        let isRunning = state.withLock { state in
            if state.isRunning { state.questions.append(question) }
            return state.isRunning
        }
        if isRunning { wakeEvent?.signal() }
    }

    /// Reads the current state of the calling thread's network namespace, without watching it.
    ///
    /// Nothing stays open: the kernel takes ten milliseconds or more to end a file watch.
    ///
    /// - Parameters:
    ///   - hosts: the lookups of individual hosts to run.
    ///   - seconds: how long to wait for NetworkManager's metering information, if it runs; 0 skips it.
    /// - Returns: the state; if the kernel or a sandbox refuses access, its visibility says so.
    public static func currentSnapshot(
        hosts: Set<RouteLookup> = [], awaitingCosts seconds: Double = 0
    ) -> NetworkSnapshot {
        currentState(hosts: hosts, awaitingCosts: seconds).snapshot
    }

    /// Reads the current state once, as ``currentSnapshot(hosts:awaitingCosts:)`` does.
    ///
    /// - Parameter lookups: returns more lookups to run, which depend on the state.
    package static func currentState(
        hosts: Set<RouteLookup> = [], awaitingCosts seconds: Double = 0,
        then lookups: (EvaluatedSnapshot) -> Set<RouteLookup> = { _ in [] }
    ) -> EvaluatedSnapshot {
        do throws(NetlinkError) {
            var reader = try KernelReader()
            try reader.reload()
            reader.watch(hosts)
            var metadata = LinkMetadataMonitor(bus: seconds > 0 ? .system : nil)
            metadata.awaitFirstAnswer(within: seconds)
            reader.metadata = metadata.current
            let state = EvaluatedSnapshot(
                try reader.snapshot(
                    resolver: ResolvConfWatch.read(ResolvConfWatch.Files()),
                    isWiFiSwitchedOff: metadata.isWiFiSwitchedOff, visibility: .live, costs: metadata.costs
                ).snapshot)
            return try reader.answer(lookups(state), from: state)
        } catch {
            return EvaluatedSnapshot(NetworkSnapshot(visibility: .unavailable(because: error)))
        }
    }

    /// Looks up individual hosts in the calling thread's network namespace.
    ///
    /// While the kernel is making a change, an answer may still reflect the state before it. The lookups take no kernel
    /// lock; reading the rules does so before Linux 6.10.
    ///
    /// - Parameters:
    ///   - questions: the lookups.
    ///   - interfaces: the links of the last known state, which decide, with the rules, whether a source address must be
    ///     chosen.
    /// - Throws: an error if the kernel or a sandbox refuses access.
    public static func currentAnswers(
        _ questions: Set<RouteLookup>, interfaces: [NetworkInterface] = []
    ) throws(NetlinkError) -> [RouteLookup: RouteAnswer] {
        guard !questions.isEmpty else { return [:] }
        var reader = try KernelReader()
        try reader.reloadRules()
        reader.watch(questions)
        return try reader.complete(NetworkSnapshot(interfaces: interfaces)).snapshot.hosts
    }

    private struct WeakSource {
        let namespace: NamespaceIdentity
        weak var source: KernelSource?
    }
    private static let registry = Mutex<[WeakSource]>([])

    init(
        pace: KernelPace = KernelPace(), resolverFiles: ResolvConfWatch.Files = ResolvConfWatch.Files(),
        startThread: @escaping ThreadStart = { (name, body) throws(SystemError) in
            try DedicatedThread.start(name: name, body)
        }
    ) {
        state = Mutex(State(backoff: ExponentialBackoff(first: pace.firstRetry, longest: pace.longestRetry)))
        self.pace = pace
        self.resolverFiles = resolverFiles
        self.startThread = startThread
    }

    /// Subscribes to the state; see `NetworkStateSource`.
    ///
    /// The closure is called on the source's own thread.
    package func subscribe(_ receive: @escaping @Sendable (NetworkUpdate) -> Void) -> UpdateSubscription {
        let identifier = add(watching: nil, receive)
        return UpdateSubscription { [weak self] in self?.unsubscribe(identifier) }
    }

    /// Subscribes to the state and watches hosts; see `NetworkStateSource`.
    ///
    /// The socket receives changes of routes that cover these hosts for as long as they are watched. The closure is
    /// called on the source's own thread.
    package func subscribe(
        watching hosts: Set<RouteLookup>, _ receive: @escaping @Sendable (NetworkUpdate) -> Void
    ) -> HostSubscription {
        let identifier = add(watching: hosts, receive)
        return HostSubscription(
            onWatch: { [weak self] hosts in
                self?.state.withLock { $0.subscribers.change(identifier, watching: hosts) }
                self?.wakeEvent?.signal()
            },
            onCancel: { [weak self] in self?.unsubscribe(identifier) })
    }

    private func add(watching hosts: Set<RouteLookup>?, _ receive: @escaping SubscriberList.Receive) -> UInt64 {
        let (identifier, mustStart) = state.withLock { state in
            let identifier = state.subscribers.add(watching: hosts, receive)
            if state.wakeEvent == nil { state.wakeEvent = try? WakeEvent() }
            let mustStart = !state.isRunning
            state.isRunning = true
            if mustStart { state.subscribers.forget() }
            return (identifier, mustStart)
        }
        if mustStart { start() } else { wakeEvent?.signal() }
        return identifier
    }

    private func unsubscribe(_ identifier: UInt64) {
        let (receive, isConcerned) = state.withLock { state in
            let version = state.subscribers.watched.version
            let receive = state.subscribers.remove(identifier)
            return (receive, state.subscribers.isEmpty || state.subscribers.watched.version != version)
        }
        if isConcerned { wakeEvent?.signal() }
        // It may hold the last reference to an object that cancels another subscription.
        withExtendedLifetime(receive) {}
    }

    /// Starts the thread, in the calling thread's network namespace.
    ///
    /// - Parameter namespace: the namespace that the thread must run in; nil for the caller's.
    private func start(in namespace: NamespaceIdentity? = nil) {
        do throws(SystemError) {
            // The thread keeps the source alive until no subscriber is left.
            try startThread("dialtone.kernel") {
                KernelLoop(owner: self, pace: self.pace, resolverFiles: self.resolverFiles).run()
            }
            state.withLock { $0.backoff.succeed() }
        } catch {
            let (calls, questions, wait) = state.withLock { state in
                state.isRunning = false
                state.subscribers.admit()
                let failure = NetlinkError(error, operation: "pthread_create")
                let calls = state.subscribers.publish(NetworkSnapshot(visibility: .unavailable(because: failure)))
                return (calls, state.dequeueQuestions(), waitBeforeRetry(&state))
            }
            for call in calls { call() }
            // Outside the lock, because their release answers them.
            withExtendedLifetime(questions) {}
            if let wait { retry(after: wait, in: namespace ?? .current()) }
        }
    }

    /// Returns the number of seconds to wait before starting the thread again; nil if a retry is already scheduled.
    private func waitBeforeRetry(_ state: inout State) -> Double? {
        guard !state.willRetry else { return nil }
        state.willRetry = true
        return state.backoff.fail()
    }

    /// Starts the thread after a pause, if there are still subscribers and it is not running by then.
    ///
    /// The pending retry keeps the source alive, as the thread would.
    private func retry(after seconds: Double, in namespace: NamespaceIdentity) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            // The thread would inherit this namespace. If that is a different one, the next subscriber starts it.
            let isThere = NamespaceIdentity.current() == namespace
            let (mustStart, wait) = self.state.withLock { state -> (Bool, Double?) in
                state.willRetry = false
                guard !state.isRunning, !state.subscribers.isEmpty else {
                    state.backoff.succeed()
                    return (false, nil)
                }
                state.isRunning = isThere
                return (isThere, isThere ? nil : self.waitBeforeRetry(&state))
            }
            if mustStart { self.start(in: namespace) }
            if let wait { self.retry(after: wait, in: namespace) }
        }
    }

    /// Whether it has subscribers, and a thread that serves them.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// The last state, if there are subscribers and it is known.
    package var latest: EvaluatedSnapshot? { state.withLock { $0.isRunning ? $0.subscribers.latest : nil } }

    // MARK: For KernelLoop

    /// Wakes the loop when a subscriber is added or removed; nil while no file descriptor is available.
    var wakeEvent: WakeEvent? { state.withLock { $0.wakeEvent } }

    /// The hosts that subscribers watch.
    var watched: SubscriberList.Watched { state.withLock { $0.subscribers.watched } }

    /// Whether the loop has to wait for the kernel.
    var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    /// Admits new subscribers; every state published from now on is recent enough for them.
    ///
    /// Returns false if no subscriber is left: then the loop must end.
    func admitSubscribers() -> Bool {
        state.withLock { state in
            state.isRunning = !state.subscribers.isEmpty || !state.questions.isEmpty
            state.subscribers.admit()
            return state.isRunning
        }
    }

    /// Returns the questions asked so far; a state that is read from now on answers them.
    func dequeueQuestions() -> [StateQuestion] { state.withLock { $0.dequeueQuestions() } }

    /// Returns whether the routes must be looked up again without an event; the next call returns false.
    func dequeueReread() -> Bool {
        state.withLock { state in
            defer { state.mustReread = false }
            return state.mustReread
        }
    }

    /// Sends the last state to subscribers that have not received any.
    func sendFirstUpdates() {
        for call in state.withLock({ $0.subscribers.firstUpdates() }) { call() }
    }

    /// Publishes a state to every subscriber if it differs from the last one.
    func publish(_ published: EvaluatedSnapshot) {
        for call in state.withLock({ $0.subscribers.publish(published) }) { call() }
    }
}

extension CostPolicy {
    private static let shared = Mutex(CostPolicy())

    /// The cost policy of this process.
    ///
    /// Setting it updates every path at once.
    package static var ofProcess: CostPolicy {
        get { shared.withLock { $0 } }
        set { changeOfProcess { $0 = newValue } }
    }

    /// Changes the cost policy of this process in one step, so that changes by several threads are not lost.
    package static func changeOfProcess(_ change: (inout CostPolicy) -> Void) {
        let isChanged = shared.withLock { policy in
            let former = policy
            change(&policy)
            return policy != former
        }
        if isChanged { KernelSource.refreshAll() }
    }
}

/// Identifies a network namespace within this process.
///
/// A forked child has different identities, because the threads of its parent's sources do not exist there.
struct NamespaceIdentity: Equatable {
    private let value: String
    private let process = getpid()

    /// Returns the identity of the calling thread's namespace.
    ///
    /// If neither the kernel nor /proc reports it, all namespaces look the same.
    static func current() -> NamespaceIdentity {
        if let socket = try? NetlinkSocket(.route), let cookie = socket.namespaceCookie {
            return NamespaceIdentity(value: "cookie \(cookie)")
        }
        return NamespaceIdentity(value: (try? SystemCall.readLink("/proc/thread-self/ns/net")) ?? "unknown")
    }
}
#endif
