// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CLinux
import Dialtone
import Foundation
import Glibc
import Netlink
import Synchronization
import SystemSupport
import TestSupport

/// A network namespace with its own `/etc/resolv.conf`: code on its threads sees another network and other name
/// servers than the rest of the process.
final class PrivateRoom: Sendable {
    struct Failure: Error {
        let call: String
        let number: Int32
    }

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let isClosed = Mutex(false)
    private let bell = DispatchSemaphore(value: 0)

    /// Creates the room; loopback is up and has the given addresses besides its own.
    init(resolverConfiguration text: String, addresses: [String] = []) throws {
        let namespace = try NetworkNamespace()
        try namespace.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
            for address in addresses {
                guard let prefix = NetworkPrefix(address) else { throw Failure(call: address, number: EINVAL) }
                try kernel.addAddress(prefix, to: 1)
            }
        }
        let result = Mutex<(any Error)?>(nil)
        let isReady = DispatchSemaphore(value: 0)
        try ThreadStarter.inside(namespace).start("room") { [self] in
            do { try Self.furnish(text) } catch { result.withLock { $0 = error } }
            isReady.signal()
            guard result.withLock({ $0 == nil }) else { return }
            while true {
                bell.wait()
                guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
                job()
            }
        }
        isReady.wait()
        if let error = result.withLock({ $0 }) { throw error }
    }

    /// Ends the room's thread once its jobs are done.
    func close() {
        isClosed.withLock { $0 = true }
        bell.signal()
    }

    /// Starts threads in the room.
    var threads: ThreadStarter {
        ThreadStarter { [self] name, work in
            try run { try ThreadStarter.system.start(name, work) }
        }
    }

    /// Runs work in the room and waits for it.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        // Its thread has ended, so the work would never run.
        guard !isClosed.withLock({ $0 }) else { throw CancellationError() }
        let outcome = Mutex<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        // The semaphore orders the two threads: the reference outlives the job.
        let box = Box(outcome)
        jobs.withLock { jobs in
            jobs.append {
                box.outcome.withLock { $0 = Result(catching: body) }
                isDone.signal()
            }
        }
        bell.signal()
        isDone.wait()
        guard let result = box.outcome.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    private final class Box<Value: Sendable>: Sendable {
        let outcome: Mutex<Result<Value, any Error>?>
        init(_ outcome: consuming Mutex<Result<Value, any Error>?>) { self.outcome = outcome }
    }

    /// Gives the calling thread a private view of the files, with another resolver configuration.
    private static func furnish(_ text: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "resolv-\(UUID().uuidString)").path
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        defer { unlink(path) }
        let newMounts: Int32 = 0x20000
        guard CLinux_unshare(newMounts) == 0 else { throw Failure(call: "unshare(CLONE_NEWNS)", number: errno) }
        guard mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else {
            throw Failure(call: "mount --make-rprivate", number: errno)
        }
        guard mount(path, "/etc/resolv.conf", nil, UInt(MS_BIND), nil) == 0 else {
            throw Failure(call: "mount --bind", number: errno)
        }
    }
}

extension Capability {
    /// Network namespaces with a private view of the files.
    static let privateRooms = Capability("mount namespaces") {
        try PrivateRoom(resolverConfiguration: "").close()
    }
}
#endif
