//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A configuration or policy that cannot be used, and the field that is wrong.
public struct InvalidConfiguration: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field, such as `endpoints[1].url`, `interval` or `backoff.longest`.
    public let field: String
    /// What is wrong with it.
    public let problem: String

    init(_ field: String, _ problem: String) {
        self.field = field
        self.problem = problem
    }

    /// Field and problem on one line.
    public var description: String { "\(field): \(problem)" }
}
