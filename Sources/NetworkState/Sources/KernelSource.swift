//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Dispatch
public import Netlink
import Synchronization

/// The live kernel: one set of sockets and one thread per network namespace of this process, however many subscribe.
///
/// The thread runs while somebody is subscribed, and sleeps in the kernel between events.
public final class KernelSource: NetworkStateSource, KernelLoop.Owner {
    /// Starts a thread with a name.
    typealias ThreadStart = @Sendable (String, @escaping @Sendable () -> Void) throws(NetlinkError) -> Void

    private struct State {
        var subscribers = SubscriberList()
        var isRunning = false
        var wakeEvent: WakeEvent?
        /// How often in a row there could be no thread.
        var failedStarts = 0
        /// Somebody will try again to start the thread.
        var willRetry = false
    }

    private let state = Mutex(State())
    private let pace: KernelPace
    private let resolverFiles: ResolverWatch.Files
    private let startThread: ThreadStart

    /// The source of the calling thread's network namespace.
    ///
    /// Subscribe from a thread of that namespace: the first subscription starts the source's thread, which inherits it.
    public static func shared() -> KernelSource {
        let key = NamespaceIdentity.current()
        return registry.withLock { registry in
            if let source = registry[key]?.source { return source }
            let source = KernelSource()
            registry = registry.filter { $0.value.source != nil }
            registry[key] = WeakSource(source: source)
            return source
        }
    }

    /// The links of the calling thread's network namespace at this moment, read without watching.
    ///
    /// - Throws: what the kernel or a sandbox refuses.
    public static func currentInterfaces() throws(NetlinkError) -> [NetworkInterface] {
        var reader = try KernelReader()
        try reader.reload()
        return reader.interfaces()
    }

    /// Makes every source of this process look at what it does not hear of.
    static func lookAgain() {
        let sources = registry.withLock { $0.values.compactMap(\.source) }
        for source in sources { source.wakeEvent?.signal() }
    }

    /// The state of the calling thread's network namespace at this moment, read without watching.
    ///
    /// Nothing stays open: to end a watch of files takes the kernel ten milliseconds and more.
    ///
    /// - Parameters:
    ///   - hosts: what to ask about single hosts.
    ///   - seconds: how long NetworkManager may take, where it runs, to say what links cost; at 0 it is not asked.
    /// - Returns: the state; where the kernel or a sandbox refuses, one whose visibility says so.
    public static func currentSnapshot(
        hosts: Set<RouteLookup> = [], awaitingCosts seconds: Double = 0
    ) -> NetworkSnapshot {
        do throws(NetlinkError) {
            var reader = try KernelReader()
            try reader.reload()
            reader.watch(hosts)
            var surroundings = Surroundings(bus: seconds > 0 ? .system : nil)
            surroundings.settle(within: seconds)
            reader.facts = surroundings.facts
            return try reader.snapshot(
                resolver: ResolverWatch.read(ResolverWatch.Files()), isWiFiSwitchedOff: surroundings.isWiFiSwitchedOff,
                visibility: .live, costs: surroundings.costs
            ).snapshot
        } catch {
            return NetworkSnapshot(visibility: .unavailable(because: error))
        }
    }

    /// The kernel's answers of this moment about single hosts, in the calling thread's network namespace.
    ///
    /// This takes no lock of the kernel's; while it is making a change, an answer may be the one of before.
    ///
    /// - Throws: what the kernel or a sandbox refuses.
    public static func currentAnswers(
        _ questions: Set<RouteLookup>
    ) throws(NetlinkError) -> [RouteLookup: RouteAnswer] {
        guard !questions.isEmpty else { return [:] }
        var reader = try KernelReader()
        reader.watch(questions)
        return try reader.complete(NetworkSnapshot()).snapshot.hosts
    }

    private struct WeakSource { weak var source: KernelSource? }
    private static let registry = Mutex<[NamespaceIdentity: WeakSource]>([:])

    init(
        pace: KernelPace = KernelPace(), resolverFiles: ResolverWatch.Files = ResolverWatch.Files(),
        startThread: @escaping ThreadStart = { (name, body) throws(NetlinkError) in
            try DedicatedThread.start(name: name, body)
        }
    ) {
        self.pace = pace
        self.resolverFiles = resolverFiles
        self.startThread = startThread
    }

    /// Subscribes: see `NetworkStateSource`.
    ///
    /// Calls come on the source's own thread.
    public func subscribe(_ receive: @escaping @Sendable (NetworkUpdate) -> Void) -> NetworkStateSubscription {
        let identifier = add(watching: nil, receive)
        return NetworkStateSubscription { [weak self] in self?.unsubscribe(identifier) }
    }

    /// Subscribes and watches hosts: see `NetworkStateSource`.
    ///
    /// The socket lets through the changes of routes that cover these hosts, as long as they are watched. Calls come on the
    /// source's own thread.
    public func subscribe(
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
            if state.wakeEvent == nil { state.wakeEvent = WakeEvent() }
            let mustStart = !state.isRunning
            state.isRunning = true
            if mustStart { state.subscribers.forget() }
            return (identifier, mustStart)
        }
        if mustStart { start() } else { wakeEvent?.signal() }
        return identifier
    }

    private func unsubscribe(_ identifier: UInt64) {
        state.withLock { $0.subscribers.remove(identifier) }
        wakeEvent?.signal()
    }

    /// Starts the thread, in the calling thread's network namespace.
    ///
    /// - Parameter namespace: the one that it must be; nil is the caller's.
    private func start(in namespace: NamespaceIdentity? = nil) {
        do throws(NetlinkError) {
            // The thread keeps the source alive until nobody is left.
            try startThread("dialtone.kernel") {
                KernelLoop(owner: self, pace: self.pace, resolverFiles: self.resolverFiles).run()
            }
            state.withLock { $0.failedStarts = 0 }
        } catch {
            let (calls, wait) = state.withLock { state in
                state.isRunning = false
                state.subscribers.admit()
                let calls = state.subscribers.publish(NetworkSnapshot(visibility: .unavailable(because: error)))
                return (calls, waitBeforeRetry(&state))
            }
            for call in calls { call() }
            if let wait { retry(after: wait, in: namespace ?? .current()) }
        }
    }

    /// How many seconds to wait before the thread is started again; nil when somebody waits already.
    private func waitBeforeRetry(_ state: inout State) -> Double? {
        guard !state.willRetry else { return nil }
        let wait = min(pace.firstRetry * Double(1 << min(state.failedStarts, 16)), pace.longestRetry)
        state.failedStarts += 1
        state.willRetry = true
        return wait
    }

    /// Starts the thread after a while, if somebody is still subscribed and it does not run by then.
    ///
    /// Whoever waits keeps the source alive, as the thread would.
    private func retry(after seconds: Double, in namespace: NamespaceIdentity) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            // The thread would inherit the namespace of this one. Where that is another, the next subscriber starts it.
            let isThere = NamespaceIdentity.current() == namespace
            let (mustStart, wait) = self.state.withLock { state -> (Bool, Double?) in
                state.willRetry = false
                guard !state.isRunning, !state.subscribers.isEmpty else {
                    state.failedStarts = 0
                    return (false, nil)
                }
                state.isRunning = isThere
                return (isThere, isThere ? nil : self.waitBeforeRetry(&state))
            }
            if mustStart { self.start(in: namespace) }
            if let wait { self.retry(after: wait, in: namespace) }
        }
    }

    // MARK: KernelLoop.Owner

    var wakeEvent: WakeEvent? { state.withLock { $0.wakeEvent } }

    var watched: SubscriberList.Watched { state.withLock { $0.subscribers.watched } }

    func admitSubscribers() -> Bool {
        state.withLock { state in
            state.isRunning = !state.subscribers.isEmpty
            state.subscribers.admit()
            return state.isRunning
        }
    }

    func greetSubscribers() {
        for call in state.withLock({ $0.subscribers.greetings() }) { call() }
    }

    func publish(_ snapshot: NetworkSnapshot) {
        for call in state.withLock({ $0.subscribers.publish(snapshot) }) { call() }
    }
}

/// Tells network namespaces apart within this process.
struct NamespaceIdentity: Hashable {
    private let value: String

    /// The calling thread's.
    ///
    /// Where neither the kernel nor /proc tells, all namespaces look like one.
    static func current() -> NamespaceIdentity {
        if let socket = try? NetlinkSocket(.route), let cookie = socket.namespaceCookie {
            return NamespaceIdentity(value: "cookie \(cookie)")
        }
        return NamespaceIdentity(value: SystemFile.linkTarget("/proc/thread-self/ns/net") ?? "unknown")
    }
}
#endif
