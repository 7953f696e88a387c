// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)

import Netlink
import SystemSupport

/// Keeps a connection to NetworkManager over the system bus, if the host has one.
///
/// Nothing here blocks: the socket is non-blocking, and every step has a time limit. A host without a bus pays nothing:
/// the bus is looked for again only when the kernel reports a change, as it does when NetworkManager starts. A bus that
/// has been seen before is also looked for at intervals.
struct NetworkManagerWatch: ~Copyable {
    /// The time limits of the bus and NetworkManager, and the retry intervals, in seconds.
    struct Pace: Sendable {
        var answerBound = 10.0
        var firstRetry = 0.1
        var longestRetry = 60.0
        /// The shortest interval between two attempts to find a bus that has never been seen.
        var shortestLook = 1.0
    }

    /// The devices by their paths on the bus.
    private(set) var devices: [String: ManagedDevice] = [:]

    private let address: BusAddress?
    private let pace: Pace
    private var connection: NetworkManagerConnection?
    private var backoff: ExponentialBackoff
    private var retry: Double?
    private var lastLook = 0.0

    init(_ address: BusAddress? = .system, pace: Pace = Pace()) {
        self.address = address
        self.pace = pace
        backoff = ExponentialBackoff(first: pace.firstRetry, longest: pace.longestRetry)
        connect()
    }

    /// The file descriptor for poll(2); negative if there is nothing to wait for.
    var descriptorNumber: Int32 { connection?.descriptorNumber ?? -1 }

    /// When to update next, even without an event.
    var deadline: Double? { connection?.deadline ?? retry }

    /// Whether a reply is pending.
    var isExpectingAnswer: Bool { connection?.isSettled == false }

    /// Does everything that can be done without waiting.
    ///
    /// - Parameter hasKernelEvent: whether the kernel has just reported a change.
    /// - Returns: whether any device information has changed.
    mutating func update(hasKernelEvent: Bool = false) -> Bool {
        if connection == nil {
            let now = MonotonicTime.now
            let mustLook = retry.map { $0 <= now } ?? (hasKernelEvent && now - lastLook >= pace.shortestLook)
            if mustLook { connect() }
        }
        guard connection != nil else { return false }
        do throws(BusError) {
            try connection?.update()
            if connection?.isSettled == true { backoff.succeed() }
            return accept(connection?.devices ?? [:])
        } catch {
            connection = nil
            scheduleRetry()
            return accept([:])
        }
    }

    private mutating func accept(_ devices: [String: ManagedDevice]) -> Bool {
        defer { self.devices = devices }
        return self.devices != devices
    }

    private mutating func connect() {
        let wasThere = retry != nil
        retry = nil
        lastLook = MonotonicTime.now
        guard let address, let stream = UnixStream(address) else {
            if wasThere || address?.mayExist == true { scheduleRetry() }
            return
        }
        connection = NetworkManagerConnection(stream, answerBound: pace.answerBound)
    }

    private mutating func scheduleRetry() {
        retry = MonotonicTime.now + backoff.fail()
    }
}

/// A connection to NetworkManager over the system bus: socket, stream and view.
///
/// Use it from one thread only.
final class NetworkManagerConnection {
    private let socket: UnixStream
    private var stream = BusStream(user: UnixStream.userIdentifier)
    private var view: NetworkManagerView?
    private let answerBound: Double
    private var lastProgress = MonotonicTime.now

    /// The maximum number of reads at once; the rest waits until the kernel's events have been read.
    private static let mostReads = 64

    init(_ socket: consuming UnixStream, answerBound: Double) {
        self.socket = socket
        self.answerBound = answerBound
    }

    var descriptorNumber: Int32 { socket.number }
    var devices: [String: ManagedDevice] { view?.devices ?? [:] }
    /// Whether every call has been answered.
    var isSettled: Bool { view?.isSettled ?? false }

    /// When the peer has been silent for too long, or sending should be retried.
    var deadline: Double? {
        if isSettled, stream.output.isEmpty { return nil }
        let silence = lastProgress + answerBound
        return stream.output.isEmpty ? silence : min(silence, MonotonicTime.now + 0.05)
    }

    /// Reads and writes without blocking.
    ///
    /// - Throws: the error that ends the connection.
    func update() throws(BusError) {
        var readsLeft = Self.mostReads
        while readsLeft > 0, let bytes = try socket.read() {
            readsLeft -= 1
            lastProgress = MonotonicTime.now
            let messages = try stream.receive(bytes[...])
            if stream.isOpen, view == nil { view = NetworkManagerView() }
            for message in messages { try view?.handle(message) }
        }
        for (serial, call) in view?.dequeueCalls() ?? [] { stream.send(call, serial: serial) }
        stream.sent(try socket.write(stream.output))
        if let silentUntil = isSettled ? nil : lastProgress + answerBound, MonotonicTime.now >= silentUntil {
            throw .timedOut
        }
    }
}

#endif
