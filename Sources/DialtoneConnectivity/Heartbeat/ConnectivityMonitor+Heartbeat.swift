// SPDX-License-Identifier: Apache-2.0

import SystemSupport

extension ConnectivityMonitor {
    /// A few packets between the checks of a monitor, so that an outage is noticed within seconds.
    ///
    /// Each beat sends one packet, with no content but a random name or number, to one of the public addresses that checks contact
    /// (``InternetCheck/Configuration/publicAddresses``), the operators in turn: an echo request, or, where these are not allowed
    /// or not answered, a DNS query for a name that does not exist, a datagram, or at last a connection that is reset at once, then
    /// every 30 s. Every third beat also asks a configured name server for a name that the last check has resolved. The router is
    /// asked once a minute, and after a missed beat.
    ///
    /// A beat never decides the state: two missed ones cause a check, and so does the first one that is answered after that. With
    /// endpoints of one's own there is no heartbeat, unless public addresses are configured; nor is there one by a proxy, or before
    /// a check has verified the Internet.
    ///
    /// About 30 packets a minute are sent and received: 60 MB a month with echo requests, 150 MB with queries, and a twelfth of that
    /// at the default interval for expensive paths.
    public struct Heartbeat: Hashable, Sendable {
        /// The time between two beats; 5 s by default.
        public var interval: Duration
        /// The time between two beats over a path that is cellular, expensive or constrained; 60 s by default.
        public var expensiveInterval: Duration

        /// Creates a heartbeat; omitted arguments have the documented defaults.
        public init(interval: Duration = .seconds(5), expensiveInterval: Duration = .seconds(60)) {
            (self.interval, self.expensiveInterval) = (interval, expensiveInterval)
        }

        /// Checks both values: more than one packet a second is no heartbeat.
        func validate() throws(ConfigurationError) {
            for (field, value) in [("interval", interval), ("expensiveInterval", expensiveInterval)]
            where !(Self.shortest...Self.longest).contains(value) {
                throw ConfigurationError(
                    "heartbeat.\(field)", "must be from \(Self.shortest) to \(Self.longest), not \(value)")
            }
        }

        private static let shortest = Duration.seconds(1)
        private static let longest = Duration.seconds(86_400)
    }
}

/// A checker that defines what a heartbeat may contact.
package protocol HeartbeatTargeting: InternetChecking {
    /// What a heartbeat may contact over a path.
    func heartbeatTargets(over path: NetworkPath) -> HeartbeatTargets
}

extension InternetCheck: HeartbeatTargeting {}

/// Sends the heartbeat of a monitor, on a thread of its own: the thread sleeps in poll(2), and a beat wakes it twice.
final class HeartbeatThread: Sendable {
    private struct Mailbox {
        var situation: HeartbeatSituation?
        var isNew = false
        var isEnded = false
    }

    private let mailbox = Mutex(Mailbox())
    private let wake: WakeEvent

    /// Starts the thread, in the network namespace of the calling thread; nil if the process has no descriptor or thread left.
    ///
    /// - Parameters:
    ///   - targets: what may be contacted over a path.
    ///   - receive: called on the thread.
    ///   - onMinute: called on the thread with the statistics of each minute.
    init?(
        _ heartbeat: ConnectivityMonitor.Heartbeat, time: MonitorTime,
        targets: @escaping @Sendable (NetworkPath) -> HeartbeatTargets,
        receive: @escaping @Sendable (MachineInput) -> Void, onMinute: @escaping @Sendable (HopMinute) -> Void
    ) {
        guard let wake = try? WakeEvent() else { return nil }
        self.wake = wake
        do throws(ThreadStarter.Refused) {
            try ThreadStarter.system.start("dialtone.beats") { [weak self] in
                var beats = Beats(HeartbeatMachine(heartbeat), time, receive, onMinute)
                while let letter = self?.nextLetter() {
                    if letter.isNew {
                        let situation = letter.situation
                        beats.update(situation, situation.map { targets($0.path) } ?? HeartbeatTargets())
                    }
                    beats.run(until: wake)
                }
            }
        } catch {
            return nil
        }
    }

    /// Passes a new situation to the heartbeat; nil pauses it.
    func update(_ situation: HeartbeatSituation?) {
        mailbox.withLock { ($0.situation, $0.isNew) = (situation, true) }
        wake.signal()
    }

    /// Ends the thread.
    func end() {
        mailbox.withLock { $0.isEnded = true }
        wake.signal()
    }

    deinit { end() }

    /// What has arrived; nil if the thread must end.
    private func nextLetter() -> Mailbox? {
        wake.clear()
        return mailbox.withLock { mailbox in
            defer { mailbox.isNew = false }
            return mailbox.isEnded ? nil : mailbox
        }
    }

    /// The machine and its sockets, confined to the thread.
    private struct Beats {
        private var machine: HeartbeatMachine
        private var sockets = HeartbeatSockets()
        private var binding = InternetCheck.Configuration.Binding.none
        private let time: MonitorTime
        private var collector = HopMinute.Collector()
        private let receive: @Sendable (MachineInput) -> Void
        private let onMinute: @Sendable (HopMinute) -> Void

        init(
            _ machine: HeartbeatMachine, _ time: MonitorTime, _ receive: @escaping @Sendable (MachineInput) -> Void,
            _ onMinute: @escaping @Sendable (HopMinute) -> Void
        ) {
            (self.machine, self.time, self.receive, self.onMinute) = (machine, time, receive, onMinute)
        }

        mutating func update(_ situation: HeartbeatSituation?, _ targets: HeartbeatTargets) {
            binding = targets.binding
            perform(machine.update(situation, targets, at: time.now.elapsed))
        }

        /// Waits until something happens, and handles it.
        mutating func run(until wake: WakeEvent) {
            let end = machine.nextTime.map { ContinuousClock.now + ($0 - time.now.elapsed) }
            for result in sockets.results(until: end, wake) {
                perform(machine.finish(result.number, result.isAnswered ? .answered : .missed, at: time.now.elapsed))
            }
            perform(machine.advance(to: time.now.elapsed))
        }

        private mutating func perform(_ actions: [HeartbeatMachine.Action]) {
            var rest = actions[...]
            while let action = rest.popFirst() {
                switch action {
                case .send(let number, let question):
                    if !sockets.send(question, number: number, binding: binding) {
                        rest += machine.finish(number, .notSent, at: time.now.elapsed)
                    }
                case .close(let number): sockets.close(number)
                case .observe(let observation):
                    receive(.observed(observation))
                    if let minute = collector.add(observation, at: time.now.wall) { onMinute(minute) }
                case .report(let outcome): receive(.reported(outcome))
                }
            }
        }
    }
}
