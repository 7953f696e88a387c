// SPDX-License-Identifier: Apache-2.0

/// The text of server-sent events: the HTML standard of WHATWG, section 9.2.
enum EventText {
    /// Formats an event.
    ///
    /// - Parameters:
    ///   - name: its type.
    ///   - data: one or more lines.
    ///   - id: the identifier that the client sends when it reconnects.
    static func event(_ name: String, _ data: String, id: String) -> [UInt8] {
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }
        return Array("id: \(id)\nevent: \(name)\n\(lines.joined())\n".utf8)
    }

    /// A comment that keeps an idle connection from being considered dead.
    static let heartbeat = Array(": heartbeat\n\n".utf8)

    /// Sets the delay before a client that lost its connection reconnects.
    static let opening = Array("retry: 2000\n\n".utf8)
}
