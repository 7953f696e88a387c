// SPDX-License-Identifier: Apache-2.0

/// Half a minute without any change.
struct IdleBench: Bench {
    static let name = "idle"

    func run(_ context: Context, _ targets: inout Targets) throws {
        let programs = context.programs
        let contenders = programs.present([
            programs.raw(), programs.raw("careful"), programs.closure, programs.sequence, programs.hosts(1),
            programs.watch, programs.options, programs.glib, programs.libnl, programs.ip, programs.go, programs.python,
        ])
        let seconds = context.isQuick ? 1 : 30
        let lab = try Lab()
        defer { withExtendedLifetime(lab) {} }
        // Idle programs do not disturb each other, so all run at once.
        let running = try contenders.map { contender in
            let running = try RunningContender(contender)
            if contender.style != .text { try running.first() }
            return running
        }
        defer { for contender in running { contender.end() } }
        // Idle worker threads end after five seconds.
        Clock.sleep(milliseconds: context.isQuick ? 500 : 8000)
        let before = running.map { Usage(of: $0.process) }
        Clock.sleep(milliseconds: seconds * 1000)
        let after = running.map { Usage(of: $0.process) }
        print("\(seconds) s without any change\n")
        var table = Table(
            "", "CPU, ms", "wake-ups", "resident MB", "proportional MB", "written MB", "threads",
            "descriptors", "file MB")
        for (contender, (before, after)) in zip(contenders, zip(before, after)) {
            table.add(
                contender.name, Figure.text(Double(after.processor - before.processor) / 1e6),
                "\(after.sleeps - before.sleeps)", Figure.megabytes(after.resident),
                Figure.megabytes(after.proportional), Figure.megabytes(after.own), "\(after.threads)",
                "\(after.descriptors)", Figure.text(Usage.fileSize(contender.command[0]), digits: 1))
        }
        table.show()
        let places = Dictionary(uniqueKeysWithValues: contenders.enumerated().map { ($1, $0) })
        for contender in [programs.closure, programs.watch] {
            guard let place = places[contender] else { continue }
            targets.check(
                "idle: \(contender.name): no wake-up, no CPU",
                after[place].sleeps == before[place].sleeps && after[place].processor == before[place].processor)
        }
        for (contender, limit) in [(programs.closure, 8.2), (programs.watch, 15.7)] {
            targets.check(
                "idle: \(contender.name): resident ≤ \(limit) MB",
                places[contender].map { Double(after[$0].resident) / 1024 }, atMost: limit, unit: "MB")
        }
        targets.check(
            "`dialtone`, stripped ≤ 18.65 MB", Usage.fileSize(programs.watch.command[0]), atMost: 18.65, unit: "MB")
    }
}
