// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rows of all variants, with the newest value of each.
///
/// In a terminal the table is redrawn with each change. Otherwise each change is one line, with the time.
final class Table: Sendable {
    /// One row: reports its values.
    struct Row: Sendable {
        fileprivate let name: String
        fileprivate let table: Table

        /// Shows a value, unless it is already shown.
        func show(_ value: String) {
            table.queue.async { table.lines.show(value, in: name) }
        }
    }

    // Changes are made and printed on one queue, in order.
    private let queue = DispatchQueue(label: "Variants")
    private let lines = Lines()

    /// Adds a row below the others.
    func row(_ name: String) -> Row {
        queue.async { self.lines.show("", in: name) }
        return Row(name: name, table: self)
    }

    /// `@unchecked Sendable`: used on the table's queue only.
    private final class Lines: @unchecked Sendable {
        private var rows: [(name: String, value: String)] = []
        private let isTerminal = isatty(STDOUT_FILENO) == 1

        func show(_ value: String, in name: String) {
            if let index = rows.firstIndex(where: { $0.name == name }) {
                guard rows[index].value != value else { return }
                rows[index].value = value
            } else {
                rows.append((name, value))
            }
            isTerminal ? draw() : write(line(name, value))
        }

        private func draw() {
            let table = rows.map { padded($0.name) + ($0.value.isEmpty ? "…" : $0.value) }
            // Cursor to the top left; each line is cleared after its text, and everything below the last one.
            let text = table.map { $0 + "\u{1b}[K\r\n" }.joined()
            write("\u{1b}[H" + text + "\u{1b}[K\r\nReturn requests data, Ctrl-C ends.\u{1b}[J")
        }

        private func line(_ name: String, _ value: String) -> String {
            guard !value.isEmpty else { return "" }
            let time = Date().formatted(.iso8601.time(includingFractionalSeconds: true))
            return "\(time)  \(padded(name))\(value)\n"
        }

        private func padded(_ name: String) -> String { name.padding(toLength: 36, withPad: " ", startingAt: 0) }

        private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
    }
}
