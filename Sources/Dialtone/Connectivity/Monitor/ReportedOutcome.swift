//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What became of a request of the app's own, told to a monitor by `ConnectivityMonitor.report(_:)`.
public struct ReportedOutcome: Hashable, Sendable {
    enum Kind { case reached, failed }

    let kind: Kind

    /// A peer on the Internet answered, in whatever way: its status code does not matter.
    public static let reached = ReportedOutcome(kind: .reached)
    /// The request failed in a way that speaks against connectivity: no name, no route, refused, lost, timed out.
    public static let failed = ReportedOutcome(kind: .failed)
}
