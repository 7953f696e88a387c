// SPDX-License-Identifier: Apache-2.0

/// Work that waits for a path: the time from the path to the requests.
struct WaitingBench: Bench {
    static let name = "waiting"

    /// The time over which waiting work is admitted: the default of `WaitingRoom.Configuration`.
    private static let spread = 500.0

    func run(_ context: Context, _ targets: inout Targets) throws {
        let lab = try Lab()
        print("From the default route to the requests that waited for it, ms\n")
        var table = Table("", "first, median", "p95", "half of them", "last, median", "p95")
        for count in [1, context.isQuick ? 20 : 1000] {
            var (first, middle, last) = (Samples(), Samples(), Samples())
            for _ in 0..<(context.isQuick ? 1 : 10) {
                try lab.deleteDefault()
                let running = try RunningContender(context.programs.work("wait", "\(count)"))
                defer { running.end() }
                try running.first()
                Clock.sleep(milliseconds: 50)
                let start = Clock.now
                try lab.addDefault()
                var times = Samples()
                while times.count < count, let line = running.line(within: 10_000, where: { $0.event == "request" }) {
                    times.add(Double(line.stamp - start) / 1e6)
                }
                guard times.count == count, let quickest = times.quantile(0), let slowest = times.quantile(1) else {
                    throw BenchError("Only \(times.count) of \(count) begin")
                }
                first.add(quickest)
                middle.add(times.median ?? 0)
                last.add(slowest)
            }
            table.add(
                count == 1 ? "1 waiter" : "\(count) waiters", Figure.text(first.median),
                Figure.text(first.quantile(0.95)), Figure.text(middle.median), Figure.text(last.median),
                Figure.text(last.quantile(0.95)))
            guard count > 1 else { continue }
            targets.check(
                "\(count) waiters: first request after a fiftieth of the policy's spread", first.median,
                atMost: Self.spread / 50, unit: "ms")
            targets.check(
                "\(count) waiters: all within the policy's spread and 100 ms", last.quantile(1),
                atMost: Self.spread + 100, unit: "ms")
        }
        table.show()
    }
}
