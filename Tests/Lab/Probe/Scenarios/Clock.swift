// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Glibc
import Synchronization
import SystemSupport

extension Scenario {
    static let clock = [
        Scenario("every clock change is reported at once, but not to a cancelled watcher") { lab in
            let (told, toldOther) = (Counter(), Counter())
            let cancel = TimeSource.system.whenClocksJump { told.count.add(1, ordering: .relaxed) }
            let cancelOther = TimeSource.system.whenClocksJump { toldOther.count.add(1, ordering: .relaxed) }
            defer { cancel() }
            for (number, step) in [3600, -3600, 5].enumerated() {
                let before = TimeSource.system.moment
                try lab.shell("date -s @$(($(date +%s) + \(step)))")
                try lab.wait(told, for: number + 1)
                let jump = TimeSource.system.moment.realtime.timeIntervalSince(before.realtime)
                try lab.check((jump - Double(step)).magnitude < 20, "the wall clock moved by \(jump) s, not \(step)")
                if number == 0 {
                    try lab.wait(toldOther, for: 1)
                    cancelOther()
                }
            }
            try lab.check(toldOther.count.load(ordering: .relaxed) == 1, "a cancelled watcher was called")
        }
    ]
}

private final class Counter: Sendable {
    let count = Atomic(0)
}

extension Lab {
    fileprivate func wait(_ counter: Counter, for count: Int) throws {
        let start = Moment.now
        while counter.count.load(ordering: .relaxed) < count {
            guard Moment.now - start < 20_000_000_000 else { throw Failure("not reported \(count) times") }
            usleep(10_000)
        }
    }
}
