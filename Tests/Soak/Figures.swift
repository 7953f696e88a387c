// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
/// The measurements of a soak test, and its report.
struct Figures {
    var seconds = 0.0
    var elapsed = 0.0
    var samples: [Usage] = []
    var lulls: [Lull] = []
    /// The duration of each roll call, in milliseconds.
    var rolls: [Int] = []
    /// The wrong answers of the subject.
    var wrong: [String] = []
    var changes = 0
    /// The heartbeats' packets that were answered.
    var beats = 0
    var made = 0
    /// The storm while the subject was stopped.
    var stop = "none"

    /// What must stay flat, and how much it may grow from the second third to the last.
    var series: [Flatness] {
        [
            // One connection may be in progress.
            Flatness(name: "descriptors", samples: samples.map { Double($0.descriptors) }, absolute: 2),
            // Dispatch keeps a few more threads after a busy moment.
            Flatness(name: "threads", samples: samples.map { Double($0.threads) }, absolute: 2),
            Flatness(
                name: "resident memory, KiB", samples: samples.map { Double($0.resident) }, absolute: 512,
                relative: 0.03),
            Flatness(name: "descriptors, all dropped", samples: lulls.map { Double($0.descriptors) }, absolute: 0),
            Flatness(name: "threads, all dropped", samples: lulls.map { Double($0.threads) }, absolute: 2),
            // Dispatch keeps some 100 KiB for each of its threads. In a third of an hour a hundred thousand members are created and
            // dropped: a leak of a few bytes in each would exceed this.
            Flatness(
                name: "KiB in use, all dropped", samples: lulls.map { Double($0.bytes) / 1024 }, absolute: 256,
                relative: 0.02),
        ]
    }

    var isWell: Bool { wrong.isEmpty && !rolls.isEmpty && beats > 0 && series.allSatisfy(\.isFlat) }

    /// The current state, in one line.
    func line(at time: Double) -> String {
        guard let sample = samples.last, let lull = lulls.last else { return "nothing yet" }
        return "\(Int(time)) s: \(sample.descriptors) descriptors, \(sample.threads) threads, \(sample.resident) KiB; "
            + "all dropped: \(lull.descriptors), \(lull.threads), \(lull.bytes / 1024) KiB in use; "
            + "\(rolls.count) roll calls, \(wrong.count) wrong"
    }

    /// The report as Markdown.
    var report: String {
        var lines = [
            "| measure | first third | second third | last third | limit | maximum | |",
            "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
        ]
        for measure in series {
            let thirds = measure.thirds?.map { "\(Int($0.rounded()))" } ?? ["–", "–", "–"]
            let limit = measure.limit.map { "\(Int($0.rounded(.down)))" } ?? "–"
            lines.append(
                "| \(measure.name) | \(thirds.joined(separator: " | ")) | \(limit) | \(Int(measure.most)) "
                    + "| \(measure.isFlat ? "flat" : "**not flat**") |")
        }
        let sorted = rolls.sorted()
        let processor = samples.last.map { Int(($0.processor / max(elapsed, 1) * 1000).rounded()) } ?? 0
        lines += [
            "",
            "- \(Int(elapsed)) s; \(changes) network changes; \(made) monitors, hosts, targets and waiters created and "
                + "dropped; \(samples.count) samples while all existed, \(lulls.count) after all were dropped.",
            "- Roll calls: \(rolls.count) with every answer right, after \(sorted.dropFirst(sorted.count / 2).first ?? 0) ms "
                + "(median), \(sorted.last ?? 0) ms (longest); \(wrong.count) with a wrong answer.",
            "- Stopped (SIGSTOP) during a storm: \(stop).",
            "- Heartbeats: \(beats) packets answered.",
            "- CPU time: \(processor) ms per second.",
        ]
        lines += wrong.map { "- **Wrong** \($0)" }
        lines.append("")
        lines.append(isWell ? "Passed." : "**Failed.**")
        return lines.joined(separator: "\n")
    }
}
#endif
