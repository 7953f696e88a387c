// SPDX-License-Identifier: Apache-2.0

import CBench
import Glibc

/// A benchmark.
protocol Bench {
    static var name: String { get }
    init()
    func run(_ context: Context, _ targets: inout Targets) throws
}

/// The input of all benchmarks.
struct Context {
    let programs: Programs
    /// A smoke test: everything once; the figures are meaningless.
    let isQuick: Bool
}

/// The command `bench --swift FOLDER --peers FOLDER [--quick] [NAME …]`.
@main
enum Main {
    private static var all: [any Bench.Type] {
        [
            LatencyBench.self, InstructionsBench.self, StartBench.self, StormBench.self, IdleBench.self,
            MonitorsBench.self, LinksBench.self, CheckBench.self,
            WaitingBench.self, RestBench.self, ServerBench.self, HistoryBench.self,
        ]
    }

    static func main() {
        bench_buffer_lines()
        signal(SIGPIPE, SIG_IGN)
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            let text = "bench: \(error)\n"
            write(STDERR_FILENO, text, text.utf8.count)
            exit((error as? BenchError)?.status ?? 1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        var (swift, peers, names, isQuick) = ("", "", [String](), false)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--swift": swift = rest.popFirst() ?? ""
            case "--peers": peers = rest.popFirst() ?? ""
            case "--quick": isQuick = true
            default: names.append(argument)
            }
        }
        if let unknown = names.first(where: { name in !all.contains { $0.name == name } }) {
            let names = all.map { $0.name }.joined(separator: ", ")
            throw BenchError("unknown benchmark '\(unknown)': choose from \(names)", status: 64)
        }
        let absent = Usage.text("\(peers)/absent").split(separator: "\n").map(String.init)
        let programs = Programs(
            swift: swift, peers: peers, absent: absent.compactMap { $0.split(separator: ":").first.map(String.init) })
        let context = Context(programs: programs, isQuick: isQuick)
        print(machine() + "\n")
        for line in absent { print("Absent: \(line)\n") }
        var targets = Targets()
        for bench in all where names.isEmpty || names.contains(bench.name) {
            print("## \(bench.name)\n")
            try bench.init().run(context, &targets)
        }
        guard targets.count > 0 else { return }
        print("## targets\n")
        targets.show()
        print("\(targets.count - targets.missed) of \(targets.count) targets met or not measured.")
    }

    private static func machine() -> String {
        var names = utsname()
        uname(&names)
        let release = withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let lines = Usage.text("/proc/cpuinfo").split(separator: "\n")
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last?.drop { $0 == " " }
        let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        return "\(count) × \(model ?? "processor"), Linux \(release.split(separator: "-").first ?? "")"
    }
}
