// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Glibc
import Netlink
@testable import NetworkState
import OpenNetwork
import Synchronization
import TestSupport
import Testing

/// The network as seen from inside a sandbox: less information, but never wrong.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct SandboxTests {
    @Test(.requires(.sandbox))
    func `where subscriptions are refused, changes are found by polling`() async throws {
        let namespace = try NetworkNamespace()
        let source = KernelSource(pace: KernelPace(pollingInterval: 0.05))
        let updates = Recorder<NetworkUpdate>()
        let subscription = try await namespace.run {
            try Sandbox.refuse(.multicast)
            return source.subscribe { updates.record($0) }
        }
        let first = try await updates.next()
        guard case .polling(let error) = first.snapshot.visibility else {
            Issue.record("not polling: \(first.snapshot.visibility)")
            return
        }
        #expect(error.errno == .notPermitted)
        try await namespace.run {
            var kernel = try RouteNetlink()
            _ = try kernel.makeUplink()
            try kernel.addDefault(via: "192.0.2.1")
        }
        _ = try await updates.next { PathEvaluator($0.snapshot).evaluate().status == .satisfied }
        subscription.cancel()
    }

    @Test(.requires(.sandbox))
    func `without netlink the state is unknown, and the reason is reported`() async throws {
        let namespace = try NetworkNamespace()
        let paths = Recorder<NetworkPath>()
        let source = KernelSource(pace: KernelPace(firstRetry: 0.01, longestRetry: 0.02))
        let monitor = NWPathMonitor(PathFilter(), source: source, reportsDiagnosis: true)
        monitor.pathUpdateHandler = { paths.record($0.networkPath) }
        try await namespace.run {
            try Sandbox.refuse(.sockets)
            monitor.start(queue: DispatchQueue(label: "sandbox"))
        }
        defer { monitor.cancel() }
        let path = try await paths.next()
        #expect(path.status == .unsatisfied)
        #expect(path.diagnosis == nil)
        guard case .unavailable(let reason) = path.limitation else {
            Issue.record("not unavailable: \(path)")
            return
        }
        #expect(reason.contains("A sandbox forbids netlink sockets"))
    }

    @Test(.requires(.sandbox))
    func `the public monitor works inside a sandbox too`() async throws {
        let paths = Recorder<NWPath>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { paths.record($0) }
        try await NetworkNamespace().run {
            try Sandbox.refuse(.sockets)
            monitor.start(queue: DispatchQueue(label: "sandbox"))
        }
        defer { monitor.cancel() }
        #expect(try await paths.next().status == .unsatisfied)
    }

    @Test(.requires(.sandbox))
    func `where files cannot be watched, the name servers are polled`() async throws {
        let resolver = try ResolverFile()
        let source = KernelSource(pace: KernelPace(pollingInterval: 0.05), resolverFiles: resolver.files)
        let updates = Recorder<NetworkUpdate>()
        let subscription = try await NetworkNamespace().run {
            try Sandbox.refuse(.fileWatches)
            return source.subscribe { updates.record($0) }
        }
        #expect(try await updates.next().snapshot.visibility == .live)
        let mark = try resolver.mark()
        let update = try await updates.next()
        #expect(update.snapshot.resolver.servers.map(\.address) == [mark])
        #expect(update.delta.changes == [.resolver])
        subscription.cancel()
    }

    @Test(.requires(.sandbox))
    func `where files cannot be watched, events do not delay polling`() async throws {
        let resolver = try ResolverFile()
        let source = KernelSource(pace: KernelPace(pollingInterval: 0.5), resolverFiles: resolver.files)
        let updates = Recorder<NetworkUpdate>()
        let namespace = try NetworkNamespace()
        let subscription = try await namespace.run {
            try Sandbox.refuse(.fileWatches)
            return source.subscribe { updates.record($0) }
        }
        _ = try await updates.next()
        let mark = try resolver.mark()
        var kernel = try RouteNetlink(in: namespace)
        // clock: a fail-safe.
        let start = ContinuousClock.now
        var isOn = false
        // Each change comes before the previous polling interval has passed.
        while updates.values.last?.snapshot.resolver.servers.map(\.address) != [mark] {
            // clock: as above.
            guard ContinuousClock.now - start < .seconds(60) else {
                Issue.record("the name servers are never looked at")
                break
            }
            isOn.toggle()
            try kernel.setLink(1, up: isOn)
            // clock: the pace of the changes, which is faster than that of the polls.
            try await Task.sleep(for: .milliseconds(20))
        }
        subscription.cancel()
    }

    @Test func `without descriptors the state is unavailable until there are some again`() async throws {
        await #expect(processExitsWith: .success) {
            var limits = rlimit()
            #expect(getrlimit(RLIMIT_NOFILE.limit, &limits) == 0)
            var none = limits
            none.rlim_cur = 3
            let source = KernelSource(pace: KernelPace(firstRetry: 0.01, longestRetry: 0.05))
            // Dispatch aborts when it has no descriptor for its timers, and its thread pool needs one each second: it gets it now.
            let hasTimer = DispatchSemaphore(value: 0)
            // clock: it is Dispatch's own.
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { hasTimer.signal() }
            hasTimer.wait()
            let states = Queue<Visibility>()
            // At least 0, 1 and 2 are in use: every new descriptor exceeds the limit.
            #expect(setrlimit(RLIMIT_NOFILE.limit, &none) == 0)
            let subscription = source.subscribe { states.append($0.snapshot.visibility) }
            let first = states.next()
            guard case .unavailable(let error)? = first else {
                Issue.record("\(String(describing: first))")
                return
            }
            #expect(error.errno == .tooManyOpenFiles)
            #expect(setrlimit(RLIMIT_NOFILE.limit, &limits) == 0)
            #expect(states.next() == .live)
            subscription.cancel()
        }
    }
}

/// Values that one thread passes to another, which waits without a timer.
private final class Queue<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let count = DispatchSemaphore(value: 0)

    func append(_ value: Value) {
        values.withLock { $0.append(value) }
        count.signal()
    }

    /// The next value; blocks until there is one.
    func next() -> Value? {
        count.wait()
        return values.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

extension __rlimit_resource {
    /// The resource in the type that setrlimit(2) takes.
    fileprivate var limit: __rlimit_resource_t { __rlimit_resource_t(rawValue) }
}
#endif
