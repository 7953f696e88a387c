// SPDX-License-Identifier: Apache-2.0

/// From the start of a program to its first answer, with routing tables of several sizes.
struct StartBench: Bench {
    static let name = "start"

    private struct Result {
        var time = Samples()
        var memory = Samples()
        var processor = Samples()
    }

    /// A contender that would take longer is not measured, in seconds.
    private static let longest = 25.0

    func run(_ context: Context, _ targets: inout Targets) throws {
        let programs = context.programs
        let contenders = programs.present([
            programs.raw("careful"), programs.raw(), programs.closure, programs.library, programs.sequence,
            programs.watch, programs.status, programs.word, programs.glib, programs.go, programs.libnl, programs.python,
        ])
        let sizes = context.isQuick ? [10, 1000] : [10, 10_000, 200_000, 1_000_000]
        var results: [Int: [Contender: Result]] = [:]
        // One namespace for each size, so that all sizes are measured under the same load.
        let labs = try sizes.map { size in
            let lab = try Lab()
            try lab.flood(add: true, size)
            return lab
        }
        for repetition in 0..<(context.isQuick ? 2 : 15) {
            for contender in contenders {
                for (place, size) in sizes.enumerated() {
                    let known = results[size]?[contender]?.time.median
                    if repetition > 0, (known ?? .infinity) > 1000 { continue }
                    if repetition == 0, !isWorthAsking(contender, sizes[...place], results) { continue }
                    labs[place].enter()
                    try measure(contender, &results[size, default: [:]][contender, default: Result()])
                }
            }
        }
        report(contenders, sizes, results, context, &targets)
        labs.first?.enter()
        try reportLibraries(programs.present([programs.library, programs.glib, programs.libnl]))
    }

    /// Prints the libraries that programs in C load besides the C library.
    private func reportLibraries(_ contenders: [Contender]) throws {
        print("Libraries that a program in C loads, without the C library\n")
        var table = Table(["", "files", "MB"])
        for contender in contenders {
            let running = try RunningContender(contender)
            defer { running.end() }
            _ = try running.first(within: 10_000)
            let maps = Usage.text("/proc/\(running.process)/maps").split(separator: "\n")
            let files = Set(maps.compactMap { $0.split(separator: " ").last.map(String.init) })
                .filter { $0.contains(".so") && !$0.contains("/libc.so") && !$0.contains("/ld-linux") }
            let size = files.compactMap(Usage.fileSize).reduce(0, +)
            table.add([contender.name, "\(files.count)", Figure.text(size, digits: 1)])
        }
        table.show()
    }

    /// Whether to measure a contender: those that read the whole table become slower with each size, and are skipped when the
    /// previous sizes predict that it would take too long.
    private func isWorthAsking(
        _ contender: Contender, _ sizes: ArraySlice<Int>, _ results: [Int: [Contender: Result]]
    ) -> Bool {
        guard sizes.count > 2, let size = sizes.last else { return true }
        let times = sizes.dropLast().map { results[$0]?[contender]?.time.median }
        guard let base = times[0], let last = times[times.count - 1] else { return false }
        let growth = Double(size) / Double(sizes[sizes.endIndex - 2])
        return base + (last - base) * growth < Self.longest * 1000
    }

    private func measure(_ contender: Contender, _ result: inout Result) throws {
        let running = try RunningContender(contender)
        defer { running.end() }
        if contender.style == .text {
            running.waitForExit()
            result.time.add(Double(Clock.now - running.started) / 1e6)
            return
        }
        let line = try running.first(within: Int(Self.longest * 3000))
        let usage = Usage(of: running.process)
        result.time.add(Double(line.stamp - running.started) / 1e6)
        result.memory.add(Double(usage.peak))
        result.processor.add(Double(usage.processor) / 1e6)
    }

    private func report(
        _ contenders: [Contender], _ sizes: [Int], _ results: [Int: [Contender: Result]], _ context: Context,
        _ targets: inout Targets
    ) {
        print(
            "Start to first answer (ms; for `dialtone status` and the program that prints a word, the whole process), by number of routes\n"
        )
        show(contenders, sizes) { Figure.text(results[$1]?[$0]?.time.median) }
        print("Peak memory until then (MB)\n")
        show(contenders, sizes) { Figure.megabytes(results[$1]?[$0]?.memory.median) }
        print("CPU time until then (ms)\n")
        show(contenders, sizes) { Figure.text(results[$1]?[$0]?.processor.median) }

        guard let (few, many) = sizes.first.map({ ($0, sizes.last ?? $0) }) else { return }
        let (closure, status, word) = (context.programs.closure, context.programs.status, context.programs.word)
        func value(_ size: Int, _ part: (Result) -> Samples) -> Double? {
            results[size]?[closure].flatMap { part($0).median }
        }
        targets.check(
            "first answer with \(many) routes ÷ with \(few) ≤ 1.5", ratio(value(many, \.time), value(few, \.time)),
            atMost: 1.5, unit: "×")
        targets.check(
            "peak memory with \(many) routes ÷ with \(few) ≤ 1.1",
            ratio(value(many, \.memory), value(few, \.memory)), atMost: 1.1, unit: "×")
        targets.check(
            "`dialtone status --passive` with \(many) routes ÷ with \(few), time ≤ 1.5",
            ratio(results[many]?[status]?.time.median, results[few]?[status]?.time.median), atMost: 1.5, unit: "×")
        targets.check(
            "`dialtone status --passive` ÷ a Swift program that prints a word, time ≤ 2.5",
            ratio(results[few]?[status]?.time.median, results[few]?[word]?.time.median), atMost: 2.5, unit: "×")
    }

    private func show(_ contenders: [Contender], _ sizes: [Int], _ cell: (Contender, Int) -> String) {
        var table = Table([""] + sizes.map { "\($0)" })
        for contender in contenders { table.add([contender.name] + sizes.map { cell(contender, $0) }) }
        table.show()
    }
}
