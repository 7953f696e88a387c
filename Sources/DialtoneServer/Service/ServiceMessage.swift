//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a service tells its manager (sd_notify(3)): lines of `NAME=value`.
package struct ServiceMessage: Hashable, Sendable {
    /// The lines, joined by line feeds.
    package let text: String

    private init(_ text: String) { self.text = text }

    /// It is ready.
    package static let ready = ServiceMessage("READY=1")
    /// It is about to stop.
    package static let stopping = ServiceMessage("STOPPING=1")
    /// It is alive.
    package static let alive = ServiceMessage("WATCHDOG=1")

    /// What it is doing, on one line for a person: what would begin another line is replaced.
    package static func status(_ words: String) -> ServiceMessage {
        let line = String(
            String.UnicodeScalarView(
                words.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : $0 }))
        return ServiceMessage("STATUS=" + line)
    }

    /// Both, in one message.
    package func and(_ other: ServiceMessage) -> ServiceMessage { ServiceMessage(text + "\n" + other.text) }
}
