//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The text of server-sent events: the HTML standard of WHATWG, section 9.2.
enum EventText {
    /// An event.
    ///
    /// - Parameters:
    ///   - name: its type.
    ///   - data: one line, or several.
    ///   - id: what the client names when it comes back.
    static func event(_ name: String, _ data: String, id: String) -> [UInt8] {
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }
        return Array("id: \(id)\nevent: \(name)\n\(lines.joined())\n".utf8)
    }

    /// What keeps a connection from looking dead.
    static let heartbeat = Array(": still here\n\n".utf8)

    /// The time after which a client comes back that has lost its connection.
    static let opening = Array("retry: 2000\n\n".utf8)
}
