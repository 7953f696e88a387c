// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import DialtoneSupport
import Netlink

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
#endif
