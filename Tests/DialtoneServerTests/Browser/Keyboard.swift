// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation

/// Keyboard input for a page.
extension Tab {
    /// A key to press and release.
    enum Key: String {
        case tab = "Tab"
        case enter = "Enter"
        case space = " "

        var code: String { self == .space ? "Space" : rawValue }
        var number: Int { [.tab: 9, .enter: 13, .space: 32][self] ?? 0 }
        var text: String? { [.enter: "\r", .space: " "][self] }
    }

    func press(_ key: Key) async throws {
        var event: [String: any Sendable] = [
            "type": key.text == nil ? "rawKeyDown" : "keyDown", "key": key.rawValue, "code": key.code,
            "windowsVirtualKeyCode": key.number,
        ]
        if let text = key.text { event["text"] = text }
        _ = try await call("Input.dispatchKeyEvent", event)
        event["type"] = "keyUp"
        event["text"] = nil
        _ = try await call("Input.dispatchKeyEvent", event)
    }

    /// Types text into the focused element.
    func type(_ text: String) async throws { _ = try await call("Input.insertText", ["text": text]) }

    /// The text of the focused element, and whether its focus is visible.
    func focus() async throws -> (words: String, isVisible: Bool) {
        let parts = try await evaluate(
            """
            (() => {
              const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
              const seen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
                && box.width > 0 && box.right > 0 && e.checkVisibility();
              return `${seen}|${e === document.body ? '' : (e.labels?.[0] ?? e).textContent.trim()}`;
            })()
            """
        ).split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts.last ?? ""), parts.first == "true")
    }

    /// Presses Tab until the focused element has this text.
    func tab(to words: String) async throws {
        for _ in 0..<80 {
            try await press(.tab)
            if try await focus().words == words { return }
        }
        throw Browser.Trouble(description: "Tab does not lead to '\(words)'")
    }
}
#endif
