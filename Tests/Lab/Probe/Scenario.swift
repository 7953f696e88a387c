// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// A sequence of network changes, with the transitions that must be reported.
///
/// Each runs in a separate process, and leaves cleaning up to the sweep after it.
struct Scenario: Sendable {
    /// The environment of a scenario.
    enum Place: Sendable {
        /// In a fresh network namespace, `lab`, with the `/sys` of that namespace.
        case namespace
        /// In the guest's first namespace, where USB devices appear, and where NetworkManager sees udev's events.
        case machine
    }

    let name: String
    let place: Place
    let run: @Sendable (Lab) async throws -> Void

    init(_ name: String, in place: Place = .namespace, _ run: @escaping @Sendable (Lab) async throws -> Void) {
        self.name = name
        self.place = place
        self.run = run
    }

    /// The duration after which a scenario counts as stuck, in seconds.
    static let longest = 150

    /// Runs the scenario in this process, and prints its result and notes.
    func perform() async -> Bool {
        let start = Moment.now
        let lab = Lab(KernelListener())
        let notes = lab.notes
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.longest)) {
            report(Failure("stuck"), since: start, notes)
            exit(1)
        }
        var failure: (any Error)?
        do {
            try await run(lab)
            try lab.finish()
        } catch {
            failure = error
        }
        report(failure, since: start, notes)
        return failure == nil
    }

    private func report(_ failure: (any Error)?, since start: UInt64, _ notes: Notes) {
        print("\(failure == nil ? "PASS" : "FAIL")  \(name)  (\(Moment.text(since: start)))")
        for line in notes.lines.withLock({ $0 }) { print("      \(line)") }
        if let failure {
            print("      FAILED: \(failure)")
            let kernelSays = "ip -o link; ip -o addr; ip route; dmesg | tail -n 5"
            print((try? Shell.run("\(kernelSays); tail -n 15 /tmp/*.log || true")) ?? "")
        }
        fflush(nil)
    }
}

/// Why a scenario failed.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
