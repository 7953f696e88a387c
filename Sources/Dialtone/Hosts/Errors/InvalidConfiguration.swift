// SPDX-License-Identifier: Apache-2.0

/// An invalid configuration or policy: the field that is wrong, and the problem with it.
public struct InvalidConfiguration: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field, such as `endpoints[1].url`, `interval` or `backoff.longest`.
    public let field: String
    /// The problem with its value.
    public let problem: String

    init(_ field: String, _ problem: String) {
        self.field = field
        self.problem = problem
    }

    /// The field and the problem on one line.
    public var description: String { "\(field): \(problem)" }
}
