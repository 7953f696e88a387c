// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink
import SystemSupport

/// The loop of the kernel source's thread: it reads, publishes and waits until no subscriber is left.
///
/// It publishes as soon as the socket is drained, with no timer in between. If the sockets fail, it opens new ones at
/// growing intervals, and reports the failure if it persists.
struct KernelLoop {
    /// The operations that the loop needs from its source.
    protocol Owner: AnyObject {
        /// Wakes the loop when a subscriber is added or removed; nil while no file descriptor is available.
        var wakeEvent: WakeEvent? { get }
        /// The hosts that subscribers watch.
        var watched: SubscriberList.Watched { get }
        /// Returns whether the routes must be looked up again without an event; the next call returns false.
        func dequeueReread() -> Bool
        /// Admits new subscribers; every state published from now on is recent enough for them. Returns false if no
        /// subscriber is left: then the loop must end.
        func admitSubscribers() -> Bool
        /// Publishes a state to every subscriber if it differs from the last one.
        func publish(_ state: EvaluatedSnapshot)
        /// Sends the last state to subscribers that have not received any.
        func sendFirstUpdates()
        /// Returns the questions asked so far; a state that is read from now on answers them.
        func dequeueQuestions() -> [StateQuestion]
    }

    let owner: any Owner
    var pace = KernelPace()
    var resolverFiles = ResolvConfWatch.Files()

    /// The number of consecutive failures after which a source that has worked before reports that it is unavailable.
    private static let toleratedFailures = 3

    func run() {
        var backoff = ExponentialBackoff(first: pace.firstRetry, longest: pace.longestRetry)
        var hasSeen = false
        while owner.admitSubscribers() {
            let start = ContinuousClock.now
            do throws(NetlinkError) {
                try watch { hasSeen = true }
                return
            } catch {
                // Sockets that fail right after each read are also retried with growing pauses.
                if start.duration(to: .now) > .seconds(10) { backoff.succeed() }
                let wait = backoff.fail()
                if !hasSeen || backoff.failures >= Self.toleratedFailures {
                    owner.publish(EvaluatedSnapshot(NetworkSnapshot(visibility: .unavailable(because: error))))
                    owner.sendFirstUpdates()
                }
                // Whoever asks reads the kernel without this thread.
                _ = owner.dequeueQuestions()
                PollSet.wait(readable: [owner.wakeEvent?.number ?? -1], seconds: wait)
                owner.wakeEvent?.clear()
            }
        }
    }

    /// Reads and publishes with one set of sockets.
    ///
    /// Returns when no subscriber is left; throws when the sockets fail.
    private func watch(onSuccess: () -> Void) throws(NetlinkError) {
        var session = try KernelSession(pace: pace, resolverFiles: resolverFiles)
        while owner.admitSubscribers() {
            let questions = owner.dequeueQuestions()
            session.watch(owner.watched)
            if owner.dequeueReread() { session.reread() }
            if let state = try session.refresh() {
                owner.publish(state)
                onSuccess()
            }
            owner.sendFirstUpdates()
            for question in questions { try session.answer(question) }
            session.wait(orUntil: owner.wakeEvent)
        }
    }
}
#endif
