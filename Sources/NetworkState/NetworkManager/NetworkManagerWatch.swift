//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// Keeps a line to NetworkManager over the system bus, where there is one.
///
/// Nothing here ever waits: the socket does not block, and every step has its time. Where there is no bus it costs nothing: it
/// is looked for again only when the kernel has news, as it has when NetworkManager starts. A bus that was there once is also
/// looked for by the clock.
struct NetworkManagerWatch: ~Copyable {
    /// How long the bus and NetworkManager may take to answer, in seconds, and how soon to try again.
    struct Pace: Sendable {
        var answerBound = 10.0
        var firstRetry = 0.1
        var longestRetry = 60.0
        /// The shortest time between two looks for a bus that was never there.
        var shortestLook = 1.0
    }

    /// The devices by their paths on the bus.
    private(set) var devices: [String: ManagedDevice] = [:]

    private let address: BusAddress?
    private let pace: Pace
    private var line: BusLine?
    private var failures = 0
    private var retry: Double?
    private var lastLook = 0.0

    init(_ address: BusAddress? = .system, pace: Pace = Pace()) {
        self.address = address
        self.pace = pace
        connect()
    }

    /// The number for poll(2); negative when there is nothing to wait for.
    var descriptorNumber: Int32 { line?.descriptorNumber ?? -1 }

    /// When to look again even if nothing happens.
    var deadline: Double? { line?.deadline ?? retry }

    /// Whether an answer is on its way.
    var isExpectingAnswer: Bool { line?.isSettled == false }

    /// Does what can be done without waiting.
    ///
    /// - Parameter hasNews: whether the kernel has told of a change just now.
    /// - Returns: whether anything is known now that was not known before.
    mutating func update(hasNews: Bool = false) -> Bool {
        if line == nil {
            let now = MonotonicTime.now
            let mustLook = retry.map { $0 <= now } ?? (hasNews && now - lastLook >= pace.shortestLook)
            if mustLook { connect() }
        }
        guard line != nil else { return false }
        do throws(BusError) {
            try line?.update()
            if line?.isSettled == true { failures = 0 }
            return accept(line?.devices ?? [:])
        } catch {
            line = nil
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
        line = BusLine(stream, answerBound: pace.answerBound)
    }

    private mutating func scheduleRetry() {
        retry = MonotonicTime.now + min(pace.firstRetry * Double(1 << min(failures, 16)), pace.longestRetry)
        failures += 1
    }
}
#endif
