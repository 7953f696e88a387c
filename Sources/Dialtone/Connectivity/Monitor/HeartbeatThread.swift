// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Sends the heartbeat of a monitor, on a separate thread, which sleeps in poll(2), and a beat wakes it twice.
final class HeartbeatThread: Sendable {
    private struct Mailbox {
        var situation: HeartbeatSituation?
        var isNew = false
        var isEnded = false
        /// Whether everything has been passed on.
        var isOver = false
        /// Called then.
        var waits: [@Sendable () -> Void] = []
    }

    /// What a heartbeat found that its monitor's state does not depend on.
    enum Finding: Sendable {
        /// The statistics of a minute.
        case minute(HopMinute)
        /// A time in which nothing beyond the router answered.
        case silence(Silence)
        /// The outages that are noticed from now on.
        case coverage(HeartbeatCoverage)
    }

    private let mailbox = Mutex(Mailbox())
    private let wake: WakeEvent

    /// Starts the thread, in the network namespace of the calling thread; nil if the process has no descriptor or thread left.
    ///
    /// - Parameters:
    ///   - targets: what may be contacted over a path.
    ///   - receive: called on the thread.
    ///   - onFinding: called on the thread.
    init?(
        _ heartbeat: ConnectivityMonitor.Heartbeat, checkingEvery interval: Duration, time: TimeSource,
        targets: @escaping @Sendable (NetworkPath) -> HeartbeatTargets,
        receive: @escaping @Sendable (MachineInput) -> Void, onFinding: @escaping @Sendable (Finding) -> Void
    ) {
        guard let wake = try? WakeEvent() else { return nil }
        self.wake = wake
        do throws(ThreadStarter.Refused) {
            try ThreadStarter.system.start("dialtone.beats") { [weak self] in
                var beats = Beats(
                    machine: HeartbeatMachine(heartbeat, checkingEvery: interval),
                    sockets: HeartbeatSockets(KernelSockets(wake)), time: time, receive: receive, onFinding: onFinding)
                while let letter = self?.nextLetter() {
                    if letter.isNew {
                        let situation = letter.situation
                        beats.update(situation, situation.map { targets($0.path) } ?? HeartbeatTargets())
                    }
                    beats.run()
                }
                beats.end()
                self?.noteEnd()
            }
        } catch {
            return nil
        }
    }

    /// Passes a new situation to the heartbeat; nil pauses it.
    func update(_ situation: HeartbeatSituation?) {
        mailbox.withLock {
            $0.situation = situation
            $0.isNew = true
        }
        wake.signal()
    }

    func end() {
        mailbox.withLock { $0.isEnded = true }
        wake.signal()
    }

    /// Ends the heartbeat, and waits until it has passed on what it has found.
    func finish() async {
        end()
        await withCheckedContinuation { continuation in
            let isOver = mailbox.withLock { mailbox in
                if !mailbox.isOver { mailbox.waits.append { continuation.resume() } }
                return mailbox.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    private func noteEnd() {
        let waits = mailbox.withLock { mailbox in
            defer { mailbox.waits = [] }
            mailbox.isOver = true
            return mailbox.waits
        }
        for end in waits { end() }
    }

    deinit { end() }

    /// Returns the new message; nil if the thread must end.
    private func nextLetter() -> Mailbox? {
        wake.clear()
        return mailbox.withLock { mailbox in
            defer { mailbox.isNew = false }
            return mailbox.isEnded ? nil : mailbox
        }
    }

    /// The machine and its sockets, confined to the thread.
    struct Beats: ~Copyable {
        var machine: HeartbeatMachine
        var sockets: HeartbeatSockets
        var binding = InternetCheck.Configuration.Binding.none
        let time: TimeSource
        var collector = HopMinute.Collector()
        var silences = SilenceCollector()
        var network: Int?
        var checkStart: Duration?
        let receive: @Sendable (MachineInput) -> Void
        let onFinding: @Sendable (Finding) -> Void

        mutating func update(_ situation: HeartbeatSituation?, _ targets: HeartbeatTargets) {
            binding = targets.binding
            if network != situation?.network {
                network = situation?.network
                cutSilences()
            }
            if let situation, situation.state == .online, situation.checkStart != checkStart {
                checkStart = situation.checkStart
                silences.addCheck(from: situation.checkStart, to: time.moment.boottime)
            }
            perform(machine.update(situation, targets, at: time.moment.boottime))
        }

        /// Waits until something happens, and handles it.
        mutating func run() {
            let end = machine.nextTime.map { time.now + ($0 - time.moment.boottime) }
            for result in sockets.results(until: end) {
                perform(
                    machine.finish(result.number, result.isAnswered ? .answered : .missed, at: time.moment.boottime))
            }
            perform(machine.advance(to: time.moment.boottime))
            let moment = time.moment
            for silence in silences.silences(at: moment.boottime, wall: moment.realtime) {
                onFinding(.silence(silence))
            }
        }

        /// Passes on what has been found and not been passed on yet.
        mutating func end() {
            cutSilences()
            for minute in collector.cut() { onFinding(.minute(minute)) }
        }

        private mutating func cutSilences() {
            let moment = time.moment
            for silence in silences.cut(at: moment.boottime, wall: moment.realtime) { onFinding(.silence(silence)) }
        }

        private mutating func perform(_ actions: [HeartbeatMachine.Action]) {
            var rest = actions[...]
            while let action = rest.popFirst() {
                switch action {
                case .send(let number, let question):
                    if !sockets.send(question, number: number, binding: binding) {
                        rest += machine.finish(number, .notSent, at: time.moment.boottime)
                    }
                case .close(let number): sockets.close(number)
                case .observe(let observation): receive(.observed(observation))
                case .count(let observation):
                    silences.add(observation)
                    for minute in collector.add(observation, at: time.moment.realtime) { onFinding(.minute(minute)) }
                case .report(let outcome): receive(.reported(outcome))
                case .cover(let coverage): onFinding(.coverage(coverage))
                }
            }
        }
    }
}

/// A checker that defines what a heartbeat may contact.
package protocol HeartbeatTargeting: InternetChecking {
    /// Returns the addresses that a heartbeat may contact over a path.
    func heartbeatTargets(over path: NetworkPath) -> HeartbeatTargets
}

extension InternetCheck: HeartbeatTargeting {}
