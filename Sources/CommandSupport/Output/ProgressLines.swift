// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import SystemSupport

/// What a command waits for, shown on standard error while the work takes long, and removed when it ends.
///
/// It appears only on a terminal that can remove it. Any thread may call the methods.
package final class ProgressLines: Sendable {
    private struct State {
        var lines: [String]
        var isShown = false
        var isOver = false
    }

    private let state: Mutex<State>

    /// A shorter wait shows nothing, so that quick answers do not flicker.
    private static let delay = Duration.milliseconds(200)

    private init(_ lines: [String]) { state = Mutex(State(lines: lines)) }

    /// Runs work and shows lines meanwhile, which the work may replace.
    package static func show<Value, Failure: Error>(
        _ lines: [String] = [], isQuiet: Bool, during work: (ProgressLines) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let progress = ProgressLines(lines)
        guard !isQuiet, StatusTerminal.isAvailable else { return try await work(progress) }
        let alarm = Task {
            try await TimeSource.system.sleep(for: delay)
            progress.begin()
        }
        defer {
            alarm.cancel()
            progress.end()
        }
        return try await work(progress)
    }

    package func replace(with lines: [String]) {
        state.withLock { state in
            let old = state.lines
            state.lines = lines
            if state.isShown, lines != old { StatusTerminal.write(Self.removal(of: old) + Self.text(lines)) }
        }
    }

    private func begin() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isShown = true
            StatusTerminal.write(Self.text(state.lines))
        }
    }

    private func end() {
        state.withLock { state in
            if state.isShown { StatusTerminal.write(Self.removal(of: state.lines)) }
            state.isShown = false
            state.isOver = true
        }
    }

    private static func text(_ lines: [String]) -> String {
        StatusTerminal.unwrapped(lines.map { $0 + "\n" }.joined())
    }

    /// Moves the cursor to the first line (CUU), and clears the terminal from there (ED).
    private static func removal(of lines: [String]) -> String {
        (lines.isEmpty ? "" : "\u{1B}[\(lines.count)A") + "\r\u{1B}[J"
    }
}

extension InternetChecking {
    /// The progress of a check: the operators whose answers it awaits.
    package var waitingLine: String {
        "waiting for answers of \(endpointOperators.map { Printable.text($0.name) }.joined(separator: ", "))"
    }
}
