// SPDX-License-Identifier: Apache-2.0

/// A message from a service to its manager (sd_notify(3)): lines of `NAME=value`.
package struct ServiceMessage: Hashable, Sendable {
    /// The lines, joined by line feeds.
    package let text: String

    private init(_ text: String) { self.text = text }

    /// The service is ready.
    package static let ready = ServiceMessage("READY=1")
    /// The service is about to stop.
    package static let stopping = ServiceMessage("STOPPING=1")
    /// The service is running: resets the watchdog.
    package static let alive = ServiceMessage("WATCHDOG=1")

    /// A status text, on one line: control characters, which could start another line, become spaces.
    package static func status(_ words: String) -> ServiceMessage {
        let line = String(
            String.UnicodeScalarView(
                words.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : $0 }))
        return ServiceMessage("STATUS=" + line)
    }

    /// Combines both into one message.
    package func and(_ other: ServiceMessage) -> ServiceMessage { ServiceMessage(text + "\n" + other.text) }
}
