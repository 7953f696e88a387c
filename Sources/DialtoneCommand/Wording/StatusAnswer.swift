// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import SystemSupport

/// The output of `dialtone status`.
struct StatusAnswer {
    let connectivity: Connectivity
    /// Whether only the path was requested.
    let isPassive: Bool

    /// Creates the answer from the current path alone.
    static func glance(_ filter: PathFilter = PathFilter()) async -> StatusAnswer {
        let path = await filter.currentPath()
        return StatusAnswer(connectivity: Connectivity(path, at: TimeSource.system.moment.realtime), isPassive: true)
    }

    var exitStatus: ExitStatus { ExitStatus(connectivity.state, isPassive: isPassive) }

    func print(asJSON isJSON: Bool) throws {
        try Console.answer {
            try isJSON
                ? Console.print(OneLineJSON.text(StatusReport(connectivity, at: TimeSource.system.moment.realtime)))
                : printText()
        }
    }

    private func printText() throws {
        let style = Style()
        let headline = CheckDescription.headline(connectivity, isPassive: isPassive)
        try Console.print(Console.wrapped(style.state(headline, connectivity.state), indent: 2))
        let isUnverified = !isPassive && connectivity.state == .unverified
        let hints = isUnverified ? [("hint", "dialtone doctor shows where it fails")] : []
        for (name, value) in details(connectivity.path) + hints {
            try Console.print(Console.wrapped("  " + style.quiet(name.padding(to: 10)) + value, indent: 12))
        }
    }

    private func details(_ path: NetworkPath) -> [(String, String)] {
        let limits = if case .polling(let text) = path.limitation { [("note", text)] } else { [(String, String)]() }
        guard path.status == .satisfied else { return limits }
        var details = [("carries", Wording.properties(path).joined(separator: ", "))]
        if let latency = connectivity.evidence?.latency {
            details.append(("latency", Figures.latency(latency / .seconds(1))))
        }
        if !path.gateways.isEmpty {
            details.append(("gateway", path.gateways.map { Printable.text($0.description) }.joined(separator: ", ")))
        }
        let others = path.interfaces.dropFirst().map { "\(Printable.text($0.name)) (\($0.type.name))" }
        if !others.isEmpty { details.append(("also", others.joined(separator: ", "))) }
        details += limits
        if let report = connectivity.evidence { details += CheckDescription.notes(report).map { ("note", $0) } }
        return details
    }
}

extension String {
    /// The text, padded with spaces to a width.
    func padding(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
