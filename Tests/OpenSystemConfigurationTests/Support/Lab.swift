// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Netlink
import Synchronization
import SystemSupport
import TestSupport

/// A private network with one uplink, and a thread in it.
///
/// The thread also has a private view of the file system, in which `/etc/resolv.conf` is the lab's; programs that it starts read
/// that file too.
final class Lab: Sendable {
    let namespace: NetworkNamespace
    /// The uplink's index; its other end is `peer`.
    let link: Int32
    let peer: Int32
    /// The lab's `/etc/resolv.conf`.
    let resolverFile: String
    private let jobs: JobQueue

    /// Creates a lab: 192.0.2.1/24 and 2001:db8:1::1/64 on `up0`, without a default route.
    init(resolver: String = "") async throws {
        let namespace = try NetworkNamespace()
        self.namespace = namespace
        (link, peer) = try await namespace.connect("up0", to: namespace, as: "peer0")
        try await namespace.add(["192.0.2.1/24", "2001:db8:1::1/64"], to: "up0")

        let resolverFile = NSTemporaryDirectory() + "resolv.\(UUID().uuidString)"
        try resolver.write(toFile: resolverFile, atomically: false, encoding: .utf8)
        self.resolverFile = resolverFile
        let jobs = JobQueue()
        self.jobs = jobs
        try DedicatedThread.start(name: "lab") {
            _ = try? namespace.run {
                // If this fails, the tests that need it are skipped.
                try? FileSystemView.enter(resolverFile: resolverFile)
                while let job = jobs.next() { job() }
            }
        }
    }

    deinit {
        jobs.close()
        try? FileManager.default.removeItem(atPath: resolverFile)
    }

    /// Runs on the lab's thread.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            jobs.add { continuation.resume(with: Result(catching: body)) }
        }
    }

    /// Changes the lab's network.
    func kernel<Value>(_ body: (inout RouteNetlink) throws -> Value) throws -> Value {
        var kernel = try RouteNetlink(in: namespace)
        return try body(&kernel)
    }

    /// Waits until the uplink is in a state: the kernel updates operational states some time after a request.
    func waitForLink(_ change: () throws -> Void, until isWanted: (LinkMessage) -> Bool) async throws {
        let events = try RouteEvents([.link], in: namespace)
        try change()
        for try await case .message(.newLink(let message)) in events where message.index == link && isWanted(message) {
            return
        }
    }

    /// Replaces the text of the lab's `/etc/resolv.conf`.
    func setResolver(_ text: String) throws {
        try text.write(toFile: resolverFile, atomically: false, encoding: .utf8)
    }

    /// Adds default routes of both families over the uplink.
    func addDefaults() throws {
        try kernel { kernel in
            try kernel.addRoute(NewRoute(.all(.ipv4), via: "192.0.2.254", interface: link))
            try kernel.addRoute(NewRoute(.all(.ipv6), via: "2001:db8:1::fe", interface: link))
        }
    }

    func deleteDefaults() throws {
        try kernel { kernel in
            try kernel.deleteRoute(NewRoute(.all(.ipv4), via: "192.0.2.254", interface: link))
            try kernel.deleteRoute(NewRoute(.all(.ipv6), via: "2001:db8:1::fe", interface: link))
        }
    }
}

/// How long a test waits for the kernel: namespaces that are being deleted can hold its configuration lock for seconds.
let patience: Duration = .seconds(60)

/// Work for one thread, in order.
private final class JobQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let isNeeded = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(job) }
        isNeeded.signal()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        isNeeded.signal()
    }

    func next() -> (@Sendable () -> Void)? {
        while true {
            isNeeded.wait()
            let (job, isClosed) = state.withLock { ($0.jobs.isEmpty ? nil : $0.jobs.removeFirst(), $0.isClosed) }
            if let job { return job }
            if isClosed { return nil }
        }
    }
}
