// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import SystemSupport
import TestSupport
import Testing

/// A network, and what every tool must conclude about it.
struct NetworkRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Conclusion
    /// What a tool may conclude instead, where chance decides which packets arrive.
    var alternatives: [Conclusion] = []
    /// Whether `status`, which waits less, may report that there was no answer yet.
    var mayBeLate = false
    var behavior = ScriptedInternet.Behavior.defaultEndpoints()
    var nameServers = ["203.0.113.53"]
    /// The options of resolv.conf(5).
    var resolverOptions = "timeout:1 attempts:2"
    var isDualStack = true
    var joins = true
    /// Whether there is traffic before the fault, as at home.
    var isWarm = false
    /// The endpoints instead of the default ones.
    var endpoints: [String] = []
    var arguments: [String] = []
    var environment: [String: String] = [:]
    /// The tools that conclude something about the network.
    var tools = NetworkTool.all
    /// The age of the fault when the tools run.
    var age = Duration.zero
    let arrange: @Sendable (FaultLab) async throws -> Void
    /// What happens to the network once `watch`, or a server, has reported that it is online.
    var breaks: (@Sendable (FaultLab) async throws -> Void)?

    init(
        _ name: String, _ expected: Conclusion,
        arrange: @escaping @Sendable (FaultLab) async throws -> Void = { _ in }
    ) {
        (testDescription, self.expected, self.arrange) = (name, expected, arrange)
    }

    /// The same network with other properties.
    func with(_ change: (inout NetworkRow) -> Void) -> NetworkRow {
        var row = self
        change(&row)
        return row
    }

    /// The same network, where `status` may report that there was no answer yet.
    var late: NetworkRow { with { $0.mayBeLate = true } }

    /// The tools' conclusions in a new network; each in another one if the network breaks meanwhile.
    func observe(with tools: [NetworkTool]) async throws -> Observations {
        if breaks != nil, let first = tools.first, tools.count > 1 {
            var observations = try await observe(with: [first])
            observations.add(try await observe(with: Array(tools.dropFirst())))
            return observations
        }
        let lab = try await makeLab()
        var breakNetwork: (@Sendable () async throws -> Void)?
        if let breaks { breakNetwork = { try await breaks(lab) } }
        async let peers =
            NetworkPeers.folder == nil || breaks != nil
            ? [:] : NetworkPeers.answers(in: lab.served, environment: environment)
        var observations = try await Observations(
            of: tools, in: lab.served, endpoints.flatMap { ["--endpoint", $0] } + arguments, endpoints: endpoints,
            environment: environment, untilStates: Set(([expected] + alternatives).map(\.state)),
            after: breakNetwork)
        observations.peers = try await peers
        return observations
    }

    /// Creates the network, with its fault.
    func makeLab() async throws -> FaultLab {
        let lab = try await FaultLab(behavior, resolver: nameServers.first ?? "203.0.113.53", dualStack: isDualStack)
        let servers = nameServers.map { "nameserver \($0)\n" }.joined()
        try lab.served.configureNames(servers + (resolverOptions.isEmpty ? "" : "options \(resolverOptions)\n"))
        if joins { try await lab.join() }
        if isWarm { _ = try await lab.served.run(["check"]).exitStatus() }
        try await arrange(lab)
        try await TimeSource.system.sleep(for: age)
        return lab
    }

    /// Whether every tool concludes what it must, those that conclude the same name the same cause, and `doctor` repeats no sentence.
    func isRight(_ observations: Observations) -> Bool {
        let causes = Set(observations.lines.filter(isExact).compactMap(\.conclusion.cause))
        return observations.lines.allSatisfy(accepts) && causes.count <= 1 && observations.repetitions.isEmpty
    }

    /// Whether a tool concludes what it must.
    func accepts(_ line: Observations.Line) -> Bool {
        isExact(line) || alternatives.contains { Self.matches(line, $0) }
            || mayBeLate && line.tool.hasPrefix("status") && Self.isLate(line)
    }

    /// Whether a tool reports that there was no answer yet.
    private static func isLate(_ line: Observations.Line) -> Bool {
        let beginnings = ["No answer within ", "This connection is very slow: "]
        guard let sentence = line.conclusion.sentence, beginnings.contains(where: sentence.contains) else {
            return false
        }
        return line.isText || (line.conclusion.state, line.conclusion.fault) == ("unverified", nil)
    }

    private func isExact(_ line: Observations.Line) -> Bool { Self.matches(line, expected) }

    private static func matches(_ line: Observations.Line, _ wanted: Conclusion) -> Bool {
        // A full stop, or a portal's address, follows.
        func words(_ sentence: String?) -> String? {
            sentence.map(withoutFigures).map { $0.hasSuffix(".") ? "\($0.dropLast())" : $0 }
        }
        let sentence = words(line.conclusion.sentence)
        if line.isText { return words(wanted.sentence).map { sentence?.contains($0) == true } ?? true }
        return (wanted.state, wanted.fault) == (line.conclusion.state, line.conclusion.fault)
            && words(wanted.sentence) == sentence
    }

    /// A sentence without what was measured, which differs between runs.
    static func withoutFigures(_ sentence: String) -> String {
        sentence.replacing(/(\d+ to )?\d+(\.\d+)? (s|ms|%)(?!\w)/) { "N \($0.output.3)" }
    }

    /// The row of the table: the result, and each tool whose conclusion is not exactly the expected one.
    func table(_ result: Result<Observations, any Error>) -> String {
        let observations: Observations
        switch result {
        case .success(let value): observations = value
        case .failure(let error): return "FAIL  \(testDescription)\n      \(error)"
        }
        let seconds = observations.lines.map(\.seconds).max() ?? 0
        let mark = isRight(observations) ? "ok  " : "FAIL"
        var lines = ["\(mark)  \(testDescription)  (\(seconds.formatted(.number.precision(.fractionLength(1)))) s)"]
        lines.append("      truth: \(expected)")
        for line in observations.lines where mark != "ok  " || !isExact(line) {
            let text = line.isText ? line.conclusion.sentence?.components(separatedBy: "\n").first : nil
            lines.append(
                "      \(accepts(line) ? "yes" : "NO ") "
                    + line.tool.padding(toLength: 12, withPad: " ", startingAt: 0)
                    + " \(text ?? "\(line.conclusion)")  (\(line.seconds.formatted(.number.precision(.fractionLength(1)))) s)"
            )
        }
        return (lines + observations.repetitions.map { "      twice: \($0)" }).joined(separator: "\n")
    }
}
