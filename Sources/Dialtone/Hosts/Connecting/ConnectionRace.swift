// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SystemSupport

/// Connects to the addresses of one host, in the order and at the times that `HappyEyeballs` determines.
///
/// Addresses are given as they become known; the clock runs from `init`.
///
/// `@unchecked Sendable`: it is created, called and calls back only on `queue`, its owner's serial queue.
final class ConnectionRace<Failure: ConnectionFailure>: @unchecked Sendable {
    /// Opens a non-blocking TCP socket.
    typealias OpenSocket = @Sendable (IPVersion) throws(SystemError) -> Descriptor

    /// One attempt to connect.
    struct Attempt: Sendable {
        let address: NetworkAddress
        /// Nil if another attempt was faster, or the deadline passed.
        let result: Result<Void, Failure>?
        let duration: Duration
        /// The packets of an attempt that did not succeed; nil where the kernel does not count them.
        var packets: Sockets.PacketCounts?
    }

    struct Ending: Sendable {
        let outcome: HappyEyeballs.Outcome
        /// The connected socket; it is closed unless the receiver keeps it.
        let socket: (any NetworkSocket)?
        /// In the order in which they ended.
        let attempts: [Attempt]
        /// The duration from the first attempt to the end.
        let connecting: Duration

        /// The duration of the attempt that succeeded, without the time in which others were tried before; nil without one.
        var winning: Duration? {
            attempts.last { attempt in
                if case .success? = attempt.result { true } else { false }
            }?.duration
        }

        /// The most conclusive of all failures; of equally conclusive ones, the first.
        var failure: (address: NetworkAddress, error: Failure)? {
            var most: (address: NetworkAddress, error: Failure)?
            for attempt in attempts {
                guard case .failure(let error)? = attempt.result else { continue }
                if most.map({ $0.error.weight < error.weight }) ?? true { most = (attempt.address, error) }
            }
            return most
        }
    }

    private let port: UInt16
    private let queue: DispatchQueue
    private let openSocket: OpenSocket
    private let time: TimeSource
    /// By `CLOCK_BOOTTIME`.
    private let start: Duration

    private var schedule: HappyEyeballs
    private var finish: (@Sendable (Ending) -> Void)?
    private var firstAttempt: Duration?
    private var underWay: [NetworkAddress: (attempt: ConnectionAttempt<Failure>, since: Duration)] = [:]
    private var attempts: [Attempt] = []
    private var winner: Descriptor?
    private var cancelAlarm: TimeSource.Cancellation?

    /// Starts the race; addresses are added later.
    ///
    /// - Parameters:
    ///   - port: the TCP port.
    ///   - schedule: the order and times of the attempts; its time starts now.
    ///   - queue: the queue for everything that the race does.
    ///   - time: the clock of the schedule.
    ///   - openSocket: opens a socket for each attempt.
    ///   - finish: called once.
    init(
        port: UInt16, schedule: HappyEyeballs, on queue: DispatchQueue, time: TimeSource = .system,
        openSocket: @escaping OpenSocket, finish: @escaping @Sendable (Ending) -> Void
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.port = port
        self.schedule = schedule
        self.queue = queue
        self.time = time
        start = time.moment.boottime
        self.openSocket = openSocket
        self.finish = finish
        setAlarm()
    }

    /// The time since the start.
    var elapsed: Duration { time.moment.boottime - start }

    /// Reports that the addresses of one IP version are known; there may be none.
    func resolved(_ version: IPVersion, _ addresses: [NetworkAddress]) { handle(.resolved(version, addresses)) }

    /// Ends the race now, as if the deadline had passed.
    func cancel() { end(.timedOut) }

    private func handle(_ event: HappyEyeballs.Event) {
        dispatchPrecondition(condition: .onQueue(queue))
        // In a busy process this may come before the events of attempts that have ended in time.
        if let deadline = schedule.deadline, elapsed >= deadline { catchUp() }
        guard finish != nil else { return }
        let address = schedule.handle(event, at: elapsed)
        if let outcome = schedule.outcome { return end(outcome) }
        if let address { attempt(address) }
        setAlarm()
    }

    private func attempt(_ address: NetworkAddress) {
        let now = elapsed
        firstAttempt = firstAttempt ?? now
        let attempt = ConnectionAttempt<Failure>(to: address, port: port, openSocket: openSocket, on: queue) {
            [weak self] in self?.ended(address, $0)
        }
        underWay[address] = (attempt, now)
    }

    private func ended(_ address: NetworkAddress, _ result: Result<Descriptor, Failure>) {
        guard let (attempt, since) = underWay.removeValue(forKey: address) else { return }
        attempts.append(
            Attempt(
                address: address, result: result.map { _ in }, duration: elapsed - since, packets: attempt.packetCounts)
        )
        switch result {
        case .success(let socket):
            winner = socket
            handle(.connected(address))
        case .failure: handle(.failed(address))
        }
    }

    /// Handles attempts that have ended already.
    private func catchUp() {
        for (address, running) in underWay.sorted(by: { $0.value.since < $1.value.since }) {
            if let end = running.attempt.unseenEnd { ended(address, end) }
        }
    }

    private func setAlarm() {
        guard finish != nil, let deadline = schedule.deadline else { return }
        let cancelEarlier = cancelAlarm
        cancelAlarm = time.call(at: start + deadline) { [weak self, queue] in
            queue.async { self?.handle(.timePassed) }
        }
        cancelEarlier?()
    }

    private func end(_ outcome: HappyEyeballs.Outcome) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let finish else { return }
        self.finish = nil
        cancelAlarm?()
        let now = elapsed
        for (address, running) in underWay.sorted(by: { $0.value.since < $1.value.since }) {
            attempts.append(
                Attempt(
                    address: address, result: nil, duration: now - running.since, packets: running.attempt.packetCounts)
            )
            running.attempt.cancel()
        }
        underWay = [:]
        finish(
            Ending(
                outcome: outcome, socket: winner, attempts: attempts, connecting: firstAttempt.map { now - $0 } ?? .zero
            ))
        winner = nil
    }
}
