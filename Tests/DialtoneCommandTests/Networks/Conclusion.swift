// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import Netlink
import SystemSupport
import TestSupport

/// The conclusion of a tool about a network.
struct Conclusion: Hashable, Sendable, CustomStringConvertible {
    var state: String
    var fault: String?
    /// The sentence for people; while online, the remark, if there is one.
    var sentence: String?
    /// The name of the cause, where a tool reports it.
    var cause: String?

    init(_ state: String, _ fault: String? = nil, _ sentence: String? = nil) {
        (self.state, self.fault, self.sentence) = (state, fault, sentence)
    }

    /// The conclusion in an object of JSON: a report, or an entry of the log.
    init?(json text: String?) {
        guard let text, let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let state = (object["connectivity"] ?? object["state"]) as? String
        else { return nil }
        let sentence = (object["explanation"] ?? object["reason"]) as? String
        self.init(
            state, (object["fault"] as? String).flatMap { $0 == "none" ? nil : $0 },
            sentence.flatMap { $0 == "none" ? nil : $0 } ?? Self.remarks(json: text).first ?? object["remark"]
                as? String)
        cause = object["cause"] as? String
    }

    /// All remarks of a report.
    static func remarks(json text: String?) -> [String] {
        let object = text.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) } as? [String: Any]
        return (object?["remarks"] as? [[String: Any]] ?? []).compactMap { $0["message"] as? String }
    }

    var description: String { "\(state), \(fault ?? "-"), \(sentence ?? "-")" }
}

/// How a user runs a tool that concludes something about a network.
enum NetworkTool: Sendable {
    /// A command's JSON, and its text.
    case json(String), text(String)
    case library
    /// The first conclusion of `watch`.
    case watch
    /// The log of a server, and what its API reports.
    case server

    static let all =
        ["status", "check", "doctor"].flatMap { [Self.json($0), .text($0)] } + [.library, .watch, .server]
}

/// The reports of all tools in one network, as a user runs them.
struct Observations: Sendable {
    struct Line: Sendable {
        let tool: String
        let conclusion: Conclusion
        let seconds: Double
        /// The output of `check --json`.
        var report: String?

        /// Whether the conclusion is a whole text for people, without a state and a fault.
        var isText: Bool { conclusion.state.isEmpty }
    }

    private(set) var lines: [Line] = []
    /// The answers of other tools, by their names.
    var peers: [String: String] = [:]

    /// Runs the tools at the same time.
    ///
    /// - Parameters:
    ///   - arguments: the options for the check, for all tools.
    ///   - endpoints: the endpoints among them.
    ///   - states: the states that `watch` and the server may report; they may report others that are no conclusion before.
    ///   - breakNetwork: what happens to the network once `watch` and the server have reported that it is online.
    init(
        of tools: [NetworkTool], in lab: ServedLab, _ arguments: [String], endpoints: [String],
        environment: [String: String], untilStates states: Set<String>,
        after breakNetwork: (@Sendable () async throws -> Void)? = nil
    ) async throws {
        try await withThrowingTaskGroup(of: [Line].self) { group in
            for tool in tools {
                group.addTask {
                    switch tool {
                    case .json(let command):
                        let json = try await Self.output(lab, [command, "--json"] + arguments, environment)
                        let conclusion = try Self.conclusion(json.lines)
                        guard json.status == Self.statuses[conclusion.state] else {
                            throw Missing(description: "\(command): status \(json.status), \(json.lines)")
                        }
                        return [
                            Line(
                                tool: command, conclusion: conclusion, seconds: json.seconds,
                                report: command == "check" ? json.lines.first : nil)
                        ]
                    case .text(let command):
                        // The text has no codes; its first line contains the sentence.
                        let text = try await Self.output(lab, [command] + arguments, environment)
                        let conclusion = Conclusion("", nil, text.lines.joined(separator: "\n"))
                        return [Line(tool: "\(command), text", conclusion: conclusion, seconds: text.seconds)]
                    case .library:
                        let library = try await Self.output(
                            lab, endpoints + arguments.filter { $0 == "--require-tls" }, environment,
                            program: .built("ConclusionProbe"))
                        let conclusion = try Self.conclusion(library.lines)
                        return [Line(tool: "library", conclusion: conclusion, seconds: library.seconds)]
                    case .watch:
                        let start = TimeSource.system.now
                        let run = try await lab.run(["watch", "--json"] + arguments, environment: environment)
                        let line = try await Self.conclusion(of: run.output, states, after: breakNetwork)
                        run.interrupt()
                        _ = try await run.exitStatus()
                        let seconds = (TimeSource.system.now - start) / .seconds(1)
                        return [Line(tool: "watch", conclusion: try Self.conclusion([line]), seconds: seconds)]
                    case .server: return try await Self.served(lab, arguments, environment, states, breakNetwork)
                    }
                }
            }
            for try await part in group { lines += part }
        }
        let order = ["status", "check", "doctor", "library", "watch", "log", "/api/status"]
        lines.sort { one, other in
            let places = [one, other].map { line in order.firstIndex { line.tool.hasPrefix($0) } ?? order.count }
            return (places[0], one.tool) < (places[1], other.tool)
        }
    }

    /// Adds the lines of tools that ran in another network of the same kind.
    mutating func add(_ other: Observations) { lines += other.lines }

    /// The sentences that the text of `doctor` contains more than once, and lines that end twice.
    var repetitions: [String] {
        let lines = lines.first { $0.tool == "doctor, text" }?.conclusion.sentence?.components(separatedBy: "\n") ?? []
        // An address may be a router's and a name server's.
        let hops = ["  router", "  names", "  address"]
        let sentences = lines.filter { line in !hops.contains { line.hasPrefix($0) } }.enumerated()
            .map { $0 == 0 ? $1 : String($1.dropFirst(13)) }.flatMap { $0.components(separatedBy: ". ") }
            .map { $0.trimmingCharacters(in: [".", " "]) }.filter { $0.contains(" ") }
        return Set(sentences).filter { sentence in sentences.count { $0 == sentence } > 1 }
            + lines.filter { $0.contains("..") }
    }

    /// The exit status for each state.
    private static let statuses: [String: Int32] = [
        "online": 0, "offline": 1, "captivePortal": 2, "noInternet": 3, "limited": 3, "unverified": 4, "unknown": 4,
    ]

    /// The sentence before the first check has ended.
    private static let unchecked = "The Internet has not been checked yet."

    private struct Missing: Error, CustomStringConvertible { let description: String }

    private static func conclusion(_ lines: [String]) throws -> Conclusion {
        guard let conclusion = Conclusion(json: lines.first) else { throw Missing(description: "\(lines)") }
        return conclusion
    }

    private static func output(
        _ lab: ServedLab, _ arguments: [String], _ environment: [String: String],
        program: CommandRun.Program = .dialtone
    ) async throws -> (status: Int32, lines: [String], seconds: Double) {
        let start = TimeSource.system.now
        let run = try await lab.run(arguments, environment: environment, program: program)
        let status = try await run.exitStatus(timeout: .seconds(120))
        guard run.errors.values.isEmpty else { throw Missing(description: "\(run.errors.values)") }
        return (status, run.output.values, (TimeSource.system.now - start) / .seconds(1))
    }

    /// The first line that is a conclusion; with a network that breaks, the first one after it was online.
    private static func conclusion(
        of lines: Recorder<String>, _ states: Set<String>, after breakNetwork: (@Sendable () async throws -> Void)?
    ) async throws -> String {
        if let breakNetwork {
            _ = try await lines.next(timeout: .seconds(60)) { Conclusion(json: $0)?.state == "online" }
            try await breakNetwork()
        }
        return try await lines.next(timeout: .seconds(60)) { line in
            guard let conclusion = Conclusion(json: line), conclusion.sentence != Self.unchecked else { return false }
            return states.contains(conclusion.state)
                || breakNetwork == nil && !["unknown", "unverified"].contains(conclusion.state)
        }
    }

    /// The log's entry about the first conclusion of a server, and what its API reports then.
    private static func served(
        _ lab: ServedLab, _ arguments: [String], _ environment: [String: String], _ states: Set<String>,
        _ breakNetwork: (@Sendable () async throws -> Void)?
    ) async throws -> [Line] {
        let start = TimeSource.system.now
        let server = try await LabServer(in: lab, ["--log-format", "json"] + arguments, environment: environment)
        let entry = try await conclusion(of: server.run.errors, states, after: breakNetwork)
        let seconds = (TimeSource.system.now - start) / .seconds(1)
        let report = try await server.get("/api/status")
        server.run.terminate()
        _ = try await server.run.exitStatus()
        return [
            Line(tool: "log", conclusion: try conclusion([entry]), seconds: seconds),
            Line(tool: "/api/status", conclusion: try conclusion([report]), seconds: seconds),
        ]
    }
}
