// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import LibC
import Synchronization

/// What a command waits for, shown on standard error while the work takes long, and removed when it ends.
///
/// It appears only on a terminal that can remove it. Any thread may call the methods.
final class ProgressLines: Sendable {
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
    ///
    /// - Parameter isQuiet: whether to show nothing.
    static func show<Value>(
        _ lines: [String] = [], isQuiet: Bool, during work: (ProgressLines) async throws -> Value
    ) async rethrows -> Value {
        let progress = ProgressLines(lines)
        guard !isQuiet, canRemoveLines else { return try await work(progress) }
        let alarm = Task {
            try await Task.sleep(for: delay, clock: .continuous)
            progress.begin()
        }
        defer {
            alarm.cancel()
            progress.end()
        }
        return try await work(progress)
    }

    /// Replaces the lines.
    func replace(with lines: [String]) {
        state.withLock { state in
            let old = state.lines
            state.lines = lines
            if state.isShown, lines != old { write(Self.removal(of: old) + Self.text(lines)) }
        }
    }

    private func begin() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isShown = true
            write(Self.text(state.lines))
        }
    }

    private func end() {
        state.withLock { state in
            if state.isShown { write(Self.removal(of: state.lines)) }
            state.isShown = false
            state.isOver = true
        }
    }

    private static var canRemoveLines: Bool {
        isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
    }

    /// Without wrapping (DECAWM) each line stays one line on a narrow terminal, and can be removed as one.
    private static func text(_ lines: [String]) -> String {
        "\u{1B}[?7l" + lines.map { $0 + "\n" }.joined() + "\u{1B}[?7h"
    }

    /// Moves the cursor to the first line (CUU), and clears the terminal from there (ED).
    private static func removal(of lines: [String]) -> String {
        (lines.isEmpty ? "" : "\u{1B}[\(lines.count)A") + "\r\u{1B}[J"
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { LibC.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
