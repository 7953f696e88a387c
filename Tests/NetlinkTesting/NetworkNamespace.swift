// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Dispatch
import LibC
public import Netlink
import Synchronization
import SystemSupport

/// A network namespace: a separate network stack, with its own links, addresses, routes and sockets
/// (network_namespaces(7)).
///
/// It exists as long as this object, or anything else that uses it.
///
/// ```swift
/// let lab = try NetworkNamespace()
/// var kernel = try RouteNetlink(in: lab)
/// try kernel.createLink(.bridge(name: "br0"))
/// try lab.run {
///     // Everything that this thread opens is in the namespace.
/// }
/// ```
///
/// Creating and entering a namespace needs `CAP_SYS_ADMIN`. A user without it gets it inside a user namespace: start the program
/// with `unshare --user --map-root-user`, or call `enterUserNamespace()` before the program has a second thread.
public final class NetworkNamespace: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Creates an empty namespace, which has only a loopback link that is down.
    ///
    /// - Throws: `NetlinkError` `system` with `notPermitted` without the capability.
    public convenience init() throws {
        let descriptor = try Self.onOwnThread(
            ThreadWork {
                try Self.explaining(Self.missingCapability) { () throws(NetlinkError) in try LabCall.unshareNetwork() }
                return try Self.openCurrent()
            })
        self.init(descriptor)
    }

    /// Opens an existing namespace by a path such as `/run/netns/NAME` (ip-netns(8)) or `/proc/PID/ns/net`.
    public convenience init(path: String) throws(NetlinkError) {
        self.init(try LabCall.openFile(path, flags: O_RDONLY))
    }

    /// The calling thread's namespace.
    public static func current() throws(NetlinkError) -> NetworkNamespace {
        NetworkNamespace(try openCurrent())
    }

    /// Runs work in the namespace, on a dedicated thread, and waits for it.
    ///
    /// Sockets that the work opens, and threads that it starts, stay in the namespace. This includes workers that Dispatch
    /// or a task creates when the work submits something to a queue: a program that uses several namespaces opens its
    /// sockets inside, and uses them outside.
    ///
    /// - Throws: the work's error, or `NetlinkError` `system` when the namespace cannot be entered.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        try Self.onOwnThread(entering(body))
    }

    /// The same, for a caller that must not block its thread.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        // The caller resumes from a thread outside the namespace: submitting work from inside may create a thread there.
        let work = ThreadWork { try self.run(body) }
        return try await withCheckedThrowingContinuation { continuation in
            do {
                try Self.startThread("namespace.wait") { continuation.resume(with: work.perform()) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Makes the process root in a new user namespace, in which it may create network namespaces.
    ///
    /// - Throws: `system` with `invalidArgument` if there is a second thread, with `notPermitted` where the system
    ///   does not allow user namespaces.
    public static func enterUserNamespace() throws(NetlinkError) {
        let (user, group) = (LabCall.userIdentifier, LabCall.groupIdentifier)
        try explaining([
            .invalidArgument: "only a process with a single thread may enter one",
            .notPermitted: "this user may not create user namespaces on this system",
        ]) { () throws(NetlinkError) in try LabCall.unshareUser() }
        for (file, text) in [("setgroups", "deny"), ("uid_map", "0 \(user) 1"), ("gid_map", "0 \(group) 1")] {
            try LabCall.writeText(try LabCall.openFile("/proc/self/\(file)", flags: O_WRONLY), text)
        }
    }

    /// The descriptor's number, for setns(2) or `IFLA_NET_NS_FD`.
    ///
    /// It stays valid as long as this object exists.
    public var descriptorNumber: Int32 { descriptor.number }

    /// Opens a netlink socket in the namespace, independent of the thread that uses it.
    fileprivate func openSocket(protocol: Int32) throws(NetlinkError) -> Descriptor {
        do {
            return try run { try Syscall.openSocket(protocol: `protocol`) }
        } catch let error as NetlinkError {
            throw error
        } catch {
            throw NetlinkError(.system, operation: "socket(AF_NETLINK)", message: "\(error)")
        }
    }

    private func enter() throws(NetlinkError) {
        try Self.explaining(Self.missingCapability) { () throws(NetlinkError) in
            try LabCall.enterNamespace(self.descriptor)
        }
    }

    private static let missingCapability: [NetlinkError.Errno: String] = [
        .notPermitted: "this needs CAP_SYS_ADMIN: be root, or run inside `unshare --user --map-root-user`"
    ]

    /// Adds an explanation to the error of a call whose number alone is not helpful.
    private static func explaining(
        _ explanations: [NetlinkError.Errno: String], _ call: () throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        do {
            try call()
        } catch let error {
            guard let explanation = error.errno.flatMap({ explanations[$0] }) else { throw error }
            throw NetlinkError(error.code, operation: error.operation, errno: error.errno, message: explanation)
        }
    }

    private static func openCurrent() throws(NetlinkError) -> Descriptor {
        try LabCall.openFile("/proc/self/task/\(LabCall.threadIdentifier)/ns/net", flags: O_RDONLY)
    }

    private func entering<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> ThreadWork<Value> {
        ThreadWork {
            try self.enter()
            return try body()
        }
    }

    /// Runs work on a new thread, which changes only its own namespace and then ends, and waits for the result.
    private static func onOwnThread<Value: Sendable>(_ work: ThreadWork<Value>) throws -> Value {
        let outcome = Outcome<Value>()
        let isDone = DispatchSemaphore(value: 0)
        try startThread("namespace") {
            outcome.result.withLock { $0 = work.perform() }
            isDone.signal()
        }
        isDone.wait()
        // The thread has signalled, so the result has been stored.
        guard let result = outcome.result.withLock({ $0.take() }) else { throw CancellationError() }
        return try result.get()
    }

    private static func startThread(
        _ name: String, _ work: @escaping @Sendable () -> Void
    ) throws(NetlinkError) {
        do {
            try DedicatedThread.start(name: name, work)
        } catch {
            throw NetlinkError(error, operation: "pthread_create")
        }
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }
}

/// Work for another thread, which releases everything that the work captured before its result is published.
///
/// A thread ends some time after its work is done; descriptors must not stay open that long.
private final class ThreadWork<Value: Sendable>: Sendable {
    private let body: Mutex<(@Sendable () throws -> Value)?>

    init(_ body: @escaping @Sendable () throws -> Value) {
        self.body = Mutex(body)
    }

    /// Performs the work; may be called once.
    func perform() -> Result<Value, any Error> {
        guard let body = body.withLock({ $0.take() }) else { return .failure(CancellationError()) }
        return Result(catching: body)
    }
}

extension NetlinkSocket {
    /// Opens a socket in a namespace.
    package init(_ family: Family, in namespace: NetworkNamespace) throws(NetlinkError) {
        try self.init(binding: namespace.openSocket(protocol: family.rawValue))
    }
}

extension RouteNetlink {
    /// Opens a socket in a namespace.
    public init(in namespace: NetworkNamespace) throws(NetlinkError) {
        try self.init(NetlinkSocket(.route, in: namespace))
    }
}

extension GenericNetlink {
    /// Opens a socket in a namespace.
    public init(in namespace: NetworkNamespace) throws(NetlinkError) {
        try self.init(NetlinkSocket(.generic, in: namespace))
    }
}

extension NetlinkSubscription {
    /// Subscribes in a namespace.
    public init(
        _ groups: [MulticastGroup], in namespace: NetworkNamespace, receiveBuffer: Int32 = 1 << 20
    ) throws(NetlinkError) {
        try self.init(groups, NetlinkSocket(.route, in: namespace), receiveBuffer: receiveBuffer)
    }
}
#endif
