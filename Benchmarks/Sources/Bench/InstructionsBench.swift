// SPDX-License-Identifier: Apache-2.0

/// User-space instructions, counted by valgrind's callgrind: unlike times, they vary by a few per mille only, whatever else the
/// machine does.
///
/// IPv6 is on: its link-local address makes a watcher that looks up routes look up both families.
struct InstructionsBench: Bench {
    static let name = "instructions"

    private struct Result {
        var first: Double?
        var change: Double?
        var nothing: Double?
    }

    func run(_ context: Context, _ targets: inout Targets) throws {
        guard Callgrind.isInstalled else {
            print("Skipped: valgrind is not installed.\n")
            return
        }
        let programs = context.programs
        let contenders = programs.present([
            programs.raw("hop"), programs.raw("careful"), programs.closure, programs.glib, programs.libnl,
        ])
        let rounds = context.isQuick ? 1 : 40
        let plain = try Lab(hasIPv6: true)
        let bridged = try Lab(hasIPv6: true)
        try bridged.addBridge()
        // Duplicate address detection announces its end.
        Clock.sleep(milliseconds: context.isQuick ? 100 : 3000)
        var results: [Contender: Result] = [:]
        for contender in contenders {
            var result = Result()
            plain.enter()
            result.first = try count(contender) { _ in }
            result.change = try perEvent(contender, result.first, rounds) { running in
                try plain.deleteDefault()
                guard running.line(within: 5000) != nil else { throw BenchError("\(contender.name) missed a change") }
                try plain.addDefault()
                guard running.line(within: 5000) != nil else { throw BenchError("\(contender.name) missed a change") }
            }
            bridged.enter()
            let quiet = try count(contender) { _ in }
            result.nothing = try perEvent(contender, quiet, rounds) { _ in
                try bridged.addBridgeAddress()
                Clock.sleep(milliseconds: 30)
                try bridged.deleteBridgeAddress()
                Clock.sleep(milliseconds: 30)
            }
            results[contender] = result
        }
        var table = Table(
            "instructions", "until the first answer", "default route added or deleted",
            "address of a bridge added or deleted")
        for contender in contenders {
            let result = results[contender]
            table.add(
                contender.name, Figure.text(result?.first, digits: 0), Figure.text(result?.change, digits: 0),
                Figure.text(result?.nothing, digits: 0))
        }
        table.show()
        plain.enter()
        let (status, word) = (try Callgrind.count(programs.status), try Callgrind.count(programs.word))
        var processes = Table("the whole process", "instructions")
        processes.add(programs.status.name, Figure.text(status, digits: 0))
        processes.add(programs.word.name, Figure.text(word, digits: 0))
        processes.show()
        targets.check(
            "instructions: `dialtone status --passive` ÷ a Swift program that prints a word ≤ 3", ratio(status, word),
            atMost: 3, unit: "×")
        let closure = results[programs.closure]
        targets.check("instructions: OpenNetwork, each change ≤ 40,000", closure?.change, atMost: 40_000, unit: "")
        targets.check(
            "instructions: OpenNetwork, first answer ≤ 3.5 million", closure?.first, atMost: 3_500_000, unit: "")
        targets.check(
            "instructions: OpenNetwork, an event that changes nothing ≤ 67,000", closure?.nothing, atMost: 67_000,
            unit: "")
    }

    /// The instructions of each of two events, made in `rounds` rounds, beyond those without events.
    private func perEvent(
        _ contender: Contender, _ without: Double?, _ rounds: Int, _ events: @escaping (RunningContender) throws -> Void
    ) throws -> Double? {
        let with = try count(contender) { running in for _ in 0..<rounds { try events(running) } }
        guard let with, let without else { return nil }
        return (with - without) / Double(2 * rounds)
    }

    /// Counts until the contender has handled the events after its first answer.
    private func count(_ contender: Contender, _ events: @escaping (RunningContender) throws -> Void = { _ in }) throws
        -> Double?
    {
        try Callgrind.count(contender) { running in
            try running.first()
            Clock.sleep(milliseconds: 500)
            try events(running)
            Clock.sleep(milliseconds: 200)
        }
    }
}
