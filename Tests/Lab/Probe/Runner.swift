// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs scenarios one after the other, each in a separate process, and restores the machine's first state before each:
/// leftovers are removed, and a scenario whose leftovers cannot be removed fails.
struct Runner {
    private let scenarios: [Scenario]
    private let longestNameFilter: [String]

    init(_ all: [Scenario], _ words: [String]) {
        scenarios = all.filter { scenario in words.isEmpty || words.contains { scenario.name.contains($0) } }
        longestNameFilter = words
    }

    /// Runs the scenarios; returns true if there were any and all of them passed.
    func run() -> Bool {
        let start = Moment.now
        do { try Shell.run(Gadget.ports) } catch {
            print("FAIL  the USB ports cannot be created: \(error)")
            return false
        }
        let sweep = Sweep()
        guard let untouched = sweep.state() else {
            print("FAIL  the state of the machine cannot be read")
            return false
        }
        var failed: [String] = []
        for scenario in scenarios {
            fflush(nil)
            let isGood = perform(scenario)
            let remains = sweep.clean(to: untouched)
            if let remains { print("      FAILED: left behind:\n\(remains)") }
            if !isGood || remains != nil { failed.append(scenario.name) }
            fflush(nil)
        }
        print("")
        for name in failed { print("FAILED: \(name)") }
        print(
            "\(scenarios.count - failed.count) of \(scenarios.count) scenarios passed"
                + " (\((Moment.now - start) / 1_000_000_000) s).")
        fflush(nil)
        if scenarios.isEmpty { print("No scenario has a name that contains one of: \(longestNameFilter)") }
        return failed.isEmpty && !scenarios.isEmpty
    }

    private func perform(_ scenario: Scenario) -> Bool {
        let place =
            switch scenario.place {
            case .machine: ""
            // Not `ip netns exec`, which would hide the machine's mounts.
            case .namespace:
                "ip netns add lab && ip -n lab link set lo up && exec nsenter --net=/run/netns/lab"
                    + " unshare --mount --propagation unchanged sh -c 'mount -t sysfs sysfs /sys && exec \"$@\"' sh "
            }
        let command = "\(place)timeout -k 5 \(Scenario.longest + 30) LabProbe one \"\(scenario.name)\""
        let status = system(command)
        if status != 0, status != 256 { print("FAIL  \(scenario.name)  (exit status \(status))") }
        return status == 0
    }
}
