// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OpenSystemConfiguration

struct `Scheduling rules` {
    typealias Machine = ScheduleMachine<String>

    enum Call: CaseIterable { case setQueue, clearQueue, addA, addB, removeA, removeB }

    enum Start: CaseIterable { case idle, queue, inA, inAB }

    /// For each state and call: its outcome, and the state afterwards.
    static let table: [(Start, Call, Machine.Outcome, Machine.State)] = [
        (.idle, .setQueue, .start, .onQueue),
        (.idle, .clearQueue, .refused, .idle),
        (.idle, .addA, .start, .inRunLoops(["a"])),
        (.idle, .addB, .start, .inRunLoops(["b"])),
        (.idle, .removeA, .refused, .idle),
        (.idle, .removeB, .refused, .idle),
        (.queue, .setQueue, .refused, .onQueue),
        (.queue, .clearQueue, .stop, .idle),
        (.queue, .addA, .refused, .onQueue),
        (.queue, .addB, .refused, .onQueue),
        (.queue, .removeA, .refused, .onQueue),
        (.queue, .removeB, .refused, .onQueue),
        (.inA, .setQueue, .refused, .inRunLoops(["a"])),
        (.inA, .clearQueue, .stop, .idle),
        (.inA, .addA, .unchanged, .inRunLoops(["a"])),
        (.inA, .addB, .add, .inRunLoops(["a", "b"])),
        (.inA, .removeA, .stop, .idle),
        (.inA, .removeB, .unchanged, .inRunLoops(["a"])),
        (.inAB, .setQueue, .refused, .inRunLoops(["a", "b"])),
        (.inAB, .clearQueue, .stop, .idle),
        (.inAB, .addA, .unchanged, .inRunLoops(["a", "b"])),
        (.inAB, .addB, .unchanged, .inRunLoops(["a", "b"])),
        (.inAB, .removeA, .remove, .inRunLoops(["b"])),
        (.inAB, .removeB, .remove, .inRunLoops(["a"])),
    ]

    @Test(arguments: table)
    func `each call has its outcome in each state`(
        start: Start, call: Call, outcome: Machine.Outcome, state: Machine.State
    ) {
        var machine = Self.machine(start)
        #expect(Self.perform(call, on: &machine) == outcome)
        #expect(machine.state == state)
    }

    @Test func `the table is complete`() {
        #expect(Self.table.count == Start.allCases.count * Call.allCases.count)
    }

    @Test func `a target can be scheduled any number of times`() {
        var machine = Machine()
        for _ in 0..<3 {
            #expect(machine.setQueue() == .start)
            #expect(machine.clearQueue() == .stop)
            #expect(machine.add("a") == .start)
            #expect(machine.remove("a") == .stop)
        }
    }

    private static func machine(_ start: Start) -> Machine {
        var machine = Machine()
        switch start {
        case .idle: break
        case .queue: _ = machine.setQueue()
        case .inA: _ = machine.add("a")
        case .inAB:
            _ = machine.add("a")
            _ = machine.add("b")
        }
        return machine
    }

    private static func perform(_ call: Call, on machine: inout Machine) -> Machine.Outcome {
        switch call {
        case .setQueue: machine.setQueue()
        case .clearQueue: machine.clearQueue()
        case .addA: machine.add("a")
        case .addB: machine.add("b")
        case .removeA: machine.remove("a")
        case .removeB: machine.remove("b")
        }
    }
}
