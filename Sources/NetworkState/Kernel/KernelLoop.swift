// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink
import SystemSupport

/// The loop of the kernel source's thread: it reads, publishes and waits until no subscriber is left.
///
/// It publishes as soon as the socket is drained, with no timer in between. If the sockets fail, it opens new ones at
/// growing intervals, and reports the failure if it persists.
struct KernelLoop {
    let owner: KernelSource
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
            // The signal of the last subscriber's end may have been cleared together with that of a question.
            if owner.hasSubscribers { session.wait(orUntil: owner.wakeEvent) }
        }
    }
}
#endif
