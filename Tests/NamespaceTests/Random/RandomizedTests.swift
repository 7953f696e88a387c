// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import NetworkState
import OpenNetwork
import TestSupport
import Testing

/// After any sequence of changes, the live monitor, a new monitor, and an independent evaluation of the kernel's state agree.
@Suite(.requires(.networkNamespaces), .requires(.iproute), .timeLimit(.minutes(5)))
struct RandomizedTests {
    private static let actionsInSequence = 30
    /// `DIALTONE_SEEDS=100..<200` selects other seeds.
    private static let seeds: Range<UInt64> = {
        let bounds = (ProcessInfo.processInfo.environment["DIALTONE_SEEDS"] ?? "").split(separator: "..<")
        guard let lower = bounds.first.flatMap({ UInt64($0) }), let upper = bounds.last.flatMap({ UInt64($0) }),
            lower < upper
        else { return 1..<13 }
        return lower..<upper
    }()

    @Test(arguments: seeds)
    func `live, new and independent answers agree`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let actions = RandomAction.sequence(of: Self.actionsInSequence, using: &generator)
        guard let failure = try await play(actions) else { return }
        let shortest = try await shrink(Array(actions[...failure.step]))
        Issue.record(
            """
            seed \(seed), step \(failure.step): \(failure.text)
            the shortest sequence that fails:
            \(shortest.map { "  \($0)" }.joined(separator: "\n"))
            """)
    }

    private struct Failure {
        var step: Int
        var text: String
    }

    /// Plays a sequence in a new lab.
    ///
    /// - Parameter patience: the time in which the answers must agree after each action.
    /// - Returns: the first disagreement.
    private func play(_ actions: [RandomAction], within patience: Duration = .seconds(60)) async throws -> Failure? {
        let lab = try await Lab()
        for (step, action) in actions.enumerated() {
            try await lab.perform(action)
            if let text = try await disagreement(in: lab, patience) { return Failure(step: step, text: text) }
        }
        return nil
    }

    /// The kernel makes some changes later (carrier, checked addresses), so only the final answers are compared.
    private func disagreement(in lab: Lab, _ patience: Duration) async throws -> String? {
        // clock: the kernel does not report that it has no more changes to make.
        let end = ContinuousClock.now + patience
        var attempts = 0
        while true {
            attempts += 1
            let expected = Oracle(dump: try await lab.run { try SystemDump.read() }).path()
            // After this, everything that the kernel announced before has been handled.
            _ = try await lab.live.updates {}
            let live = Seen(lab.live.path)
            let fresh = Seen(try await lab.freshPath())
            if live == fresh, live.withoutReason == expected { return nil }
            // clock: as above.
            if attempts >= 5, .now > end { return "\n  live:   \(live)\n  new:    \(fresh)\n  oracle: \(expected)" }
        }
    }

    /// Removes actions that are not needed for the failure: large groups first, then single actions.
    private func shrink(_ actions: [RandomAction]) async throws -> [RandomAction] {
        var actions = actions
        var size = max(actions.count / 2, 1)
        while size >= 1 {
            var start = 0
            while start < actions.count {
                var shorter = actions
                shorter.removeSubrange(start..<min(start + size, actions.count))
                if let failure = try await play(shorter, within: .seconds(5)) {
                    actions = Array(shorter[...failure.step])
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return actions
    }
}

extension Seen {
    /// The path without its reason, for the comparison with the oracle.
    fileprivate var withoutReason: Seen {
        var seen = self
        seen.cause = nil
        return seen
    }
}
#endif
