// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import SystemSupport
import TestSupport
import Testing

/// How a program makes a request.
enum RequestTool: String, CaseIterable, Sendable {
    /// A task of a session that does not wait.
    case task
    /// A task of a session with `waitsForConnectivity`.
    case waiting = "waiting task"
    case withConnectivity
    case requester = "NetworkRequester"
    case asyncHTTPClient = "async-http-client"

    /// Those that this build contains.
    static let built = allCases.filter {
        #if AsyncHTTPClient
        true
        #else
        $0 != .asyncHTTPClient
        #endif
    }

    fileprivate var program: CommandRun.Program { .built(self == .asyncHTTPClient ? "AsyncClient" : "SessionClient") }

    fileprivate func arguments(_ url: String) -> [String] {
        switch self {
        case .task: ["data", url, "--fail", "--no-wait", "--texts", "--request-timeout-10"]
        case .waiting: ["data", url, "--request-timeout-10"]
        case .withConnectivity: ["with-get", url, "--fail", "--no-wait", "--request-timeout-10"]
        case .requester: ["requester-default", url, "--request-timeout-10"]
        case .asyncHTTPClient: ["requester-default", url, "10"]
        }
    }

    /// How the request ends, or that it waits; nil as long as neither is known.
    fileprivate func ending(_ lines: [String]) -> String? {
        func rest(_ beginning: String) -> String? {
            lines.first { $0.hasPrefix("\(beginning) ") }.map { String($0.dropFirst(beginning.count + 1)) }
        }
        if lines.contains("waiting") { return "waits" }
        if let reason = rest("reason"), self == .withConnectivity { return "waits: \(reason)" }
        guard lines.last == "ends" else { return nil }
        switch self {
        case .task, .waiting, .withConnectivity:
            let answer = rest("status").map { String($0.prefix(3)) }
            let code = rest("error").map { $0.hasSuffix(" -") ? String($0.dropLast(2)) : $0 } ?? "no result"
            return answer ?? ([code] + [rest("text")].compactMap(\.self)).joined(separator: ": ")
        case .requester, .asyncHTTPClient:
            return rest("outcome").map { "\($0): \(rest("text") ?? "")" } ?? "answered"
        }
    }
}

/// A network, and how a request in it ends with each tool.
struct RequestRow: Sendable, CustomTestStringConvertible {
    let network: NetworkRow
    let url: String
    /// The endings that are right.
    let expected: [RequestTool: [String]]

    var testDescription: String { "request: \(network.testDescription)" }

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - name: the name of a network in `NetworkRow.all`.
    ///   - scheme: that of the URL.
    ///   - expected: the endings that are right, from the sentences that the tools of `NetworkTests` may conclude in this network: a
    ///     code and the sentence, or "waits" and the reason.
    init(_ name: String, over scheme: String = "http", _ expected: ([String]) -> [RequestTool: [String]]) {
        network =
            NetworkRow.all.first { $0.testDescription == name }
            ?? NetworkRow(name, Conclusion("missing")) { _ in throw CocoaError(.featureUnsupported) }
        url = "\(scheme)://fedoraproject.org/weather"
        self.expected = expected(
            ([network.expected] + network.alternatives).compactMap(\.sentence).map {
                $0.hasSuffix(".") || $0.hasSuffix("?") ? $0 : "\($0)."
            })
    }

    /// The ending of a request with each tool, and the seconds until then.
    func observe(with tools: [RequestTool]) async throws -> [RequestTool: (ending: String, seconds: Double)] {
        let lab = try await network.makeLab()
        return try await withThrowingTaskGroup(of: (RequestTool, String, Double).self) { group in
            for tool in tools {
                group.addTask { [network, url] in
                    let start = TimeSource.system.now
                    let run = try await lab.served.run(
                        tool.arguments(url), environment: network.environment, program: tool.program)
                    defer { run.terminate() }
                    var lines: [String] = []
                    while true {
                        if let ending = tool.ending(lines) {
                            return (tool, ending, (TimeSource.system.now - start) / .seconds(1))
                        }
                        lines.append(try await run.output.next(timeout: .seconds(180)))
                    }
                }
            }
            var found: [RequestTool: (ending: String, seconds: Double)] = [:]
            for try await (tool, ending, seconds) in group { found[tool] = (ending, seconds) }
            return found
        }
    }

    func accepts(_ tool: RequestTool, _ ending: String) -> Bool {
        expected[tool]?.map(NetworkRow.withoutFigures).contains(NetworkRow.withoutFigures(ending)) == true
    }

    /// The row of the table: each tool's ending, with its seconds.
    func table(
        _ result: Result<[RequestTool: (ending: String, seconds: Double)], any Error>, of tools: [RequestTool]
    ) -> String {
        let found: [RequestTool: (ending: String, seconds: Double)]
        switch result {
        case .success(let value): found = value
        case .failure(let error): return "FAIL  \(testDescription)\n      \(error)"
        }
        func text(_ seconds: Double) -> String { seconds.formatted(.number.precision(.fractionLength(1))) }
        let isRight = tools.allSatisfy { accepts($0, found[$0]?.ending ?? "") }
        let lines = tools.map { tool in
            let (ending, seconds) = found[tool] ?? ("nothing", 0)
            let name = tool.rawValue.padding(toLength: 17, withPad: " ", startingAt: 0)
            return "      \(accepts(tool, ending) ? "yes" : "NO ") \(name) \(ending)  (\(text(seconds)) s)"
        }
        let longest = found.values.map(\.seconds).max() ?? 0
        return (["\(isRight ? "ok  " : "FAIL")  \(testDescription)  (\(text(longest)) s)"] + lines).joined(
            separator: "\n")
    }
}
