// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import SystemSupport

/// The progress of a wait on standard error: one line that is overwritten on a terminal, elsewhere a line for each reason.
///
/// Any thread may call the methods.
final class WaitingLine: Sendable {
    private let target: WaitingPolicy.Level
    private let isQuiet: Bool
    private let shown = Mutex<String?>(nil)
    private let lastReason = Mutex<String?>(nil)

    init(target: WaitingPolicy.Level, isQuiet: Bool) {
        self.target = target
        self.isQuiet = isQuiet
    }

    /// Shows the target and the reason of the wait, unless they are already shown.
    func show(_ reason: WaitingPolicy.Obstacle) {
        let text = Printable.text("\(reason)")
        lastReason.withLock { $0 = text }
        shown.withLock { replace(&$0, with: "waiting for \(target.words): \(text.withoutFullStop)") }
    }

    /// Reports the timeout, and the last reason for waiting.
    func printTimeout(after time: Duration?, _ error: WaitingError) {
        let seconds = time.map { " after \(Self.seconds($0))" } ?? ""
        // The line has followed the network; the error has the last obstacle.
        let reason = lastReason.withLock { $0 } ?? error.reason.map { Printable.text($0) }
        printLine("timed out\(seconds)" + (reason.map { ": \($0.withoutFullStop)" } ?? ": nothing is known yet"))
    }

    private static func seconds(_ time: Duration) -> String {
        let tenths = Int((time / .milliseconds(100)).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }

    /// Removes the reason that no longer holds; the next one is not known yet.
    func forgetReason() {
        shown.withLock { shown in
            if shown != nil { replace(&shown, with: "waiting for \(target.words)") }
        }
    }

    private func replace(_ shown: inout String?, with text: String) {
        guard text != shown else { return }
        shown = text
        write(StatusTerminal.isAvailable ? "\r\u{1B}[K" + StatusTerminal.unwrapped(text) : "dialtone: \(text)\n")
    }

    /// Reports that the path that was waited for has no DNS server: it may still not be enough for what comes next.
    ///
    /// A wait for a path sends no packets, so nothing else about the Internet is known.
    func noteMissingNames(_ connectivity: Connectivity) {
        let path = connectivity.path
        guard target == .path, path.status == .satisfied, !path.supportsDNS else { return }
        printLine(
            "there is a path, but no DNS server is configured; --for internet waits until the Internet is verified")
    }

    /// Clears the line on a terminal.
    func clear() {
        shown.withLock { shown in
            if StatusTerminal.isAvailable, shown != nil { write("\r\u{1B}[K") }
            shown = nil
        }
    }

    /// Writes a permanent line.
    func printLine(_ text: String) {
        clear()
        write("dialtone: \(Printable.text(text))\n")
    }

    private func write(_ text: String) { if !isQuiet { StatusTerminal.write(text) } }
}
