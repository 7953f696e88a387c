// SPDX-License-Identifier: Apache-2.0

extension ConnectivityMonitor {
    /// The outcome of one of the app's own requests, for `ConnectivityMonitor.report(_:)`.
    public struct ReportedOutcome: Hashable, Sendable {
        enum Kind { case reached, proven, failed }

        let kind: Kind

        /// A server on the Internet responded, with any status.
        ///
        /// The response may have been a captive portal's page, so it proves nothing: it provokes a check while the Internet
        /// seems unreachable.
        public static let reached = ConnectivityMonitor.ReportedOutcome(kind: .reached)
        /// A server on the Internet responded over HTTPS, with any status, and its certificate was validated.
        ///
        /// While the last verdict is `verified`, this proves that the verdict still holds, and saves checks: see
        /// `ConnectivityMonitor.Configuration.interval`.
        public static let proven = ConnectivityMonitor.ReportedOutcome(kind: .proven)
        /// The request failed in a way that suggests a loss of connectivity: name not found, no route, refused, lost, timed
        /// out.
        public static let failed = ConnectivityMonitor.ReportedOutcome(kind: .failed)
    }
}
