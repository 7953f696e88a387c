//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import Glibc

/// Runs the lab's scenarios inside the guest, and prints one verdict per scenario.
///
/// `LabProbe` runs all of them, `LabProbe NAME…` those whose names contain one of the words, `LabProbe list` lists them.
/// Exits with 1 when one fails.
@main
enum LabProbe {
    // Those without radios come first: once there are some, they stay.
    static let scenarios =
        Scenario.clock + Scenario.modems + Scenario.wifi + Scenario.stacked + Scenario.networkManager

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        if let gadget = words.first, gadget == "modem", let folder = words.dropFirst().first {
            ModemGadget(folder: folder).run()
            return
        }
        if words.first == "list" {
            for scenario in scenarios { print(scenario.name) }
            return
        }
        if words.first == "record" {
            let lab = Lab(KernelListener())
            do { try Recording.run(lab) } catch { print(error) }
            lab.cleanUp()
            return
        }
        let chosen = scenarios.filter { scenario in
            words.isEmpty || words.contains { scenario.name.contains($0) }
        }
        let kernel = KernelListener()
        var failed: [String] = []
        for scenario in chosen {
            let start = Moment.now
            let lab = Lab(kernel)
            do {
                try scenario.run(lab)
                print("PASS  \(scenario.name) (\(Moment.text(since: start)))")
            } catch {
                failed.append(scenario.name)
                print("FAIL  \(scenario.name) (\(Moment.text(since: start)))\n      \(error)")
            }
            for line in lab.log { print("      \(line)") }
            fflush(nil)
            lab.cleanUp()
        }
        print("\(chosen.count - failed.count) of \(chosen.count) scenarios passed.")
        exit(failed.isEmpty && !chosen.isEmpty ? 0 : 1)
    }
}

/// One thing that is made to happen to the network, with what must be said of it.
struct Scenario: Sendable {
    let name: String
    let run: @Sendable (Lab) throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (Lab) throws -> Void) {
        self.name = name
        self.run = run
    }
}

/// Why a scenario failed.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Moments on the clock that does not jump, in nanoseconds.
enum Moment {
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The time between two moments, in milliseconds.
    static func text(since start: UInt64, until end: UInt64 = now) -> String {
        let tenths = (end - min(start, end)) / 100_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
