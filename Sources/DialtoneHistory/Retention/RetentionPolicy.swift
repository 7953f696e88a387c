//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// For how long what is kept.
public struct RetentionPolicy: Codable, Hashable, Sendable {
    /// Transitions, in seconds; 400 days unless told otherwise.
    public var transitions: Double = 400 * 86_400
    /// Single checks, in seconds; 2 days unless told otherwise.
    ///
    /// Then only what those of each minute came to is kept.
    public var checks: Double = 2 * 86_400
    /// The summaries of minutes, in seconds; 14 days unless told otherwise.
    ///
    /// Then only those of hours are kept.
    public var minutes: Double = 14 * 86_400
    /// The summaries of hours, in seconds; 400 days unless told otherwise.
    public var hours: Double = 400 * 86_400
    /// How many bytes the history may take on disk; 64 MiB unless told otherwise.
    ///
    /// When it takes more the oldest is removed, checks before transitions.
    public var bytes: Int = 64 << 20

    /// Makes the usual policy.
    public init() {}
}
