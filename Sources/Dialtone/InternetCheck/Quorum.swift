//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension InternetCheck {
    /// How many endpoints must answer as expected.
    public enum Quorum: Hashable, Sendable {
        /// This many; no more than there are endpoints.
        case count(Int)
        /// This share of them in percent, above 0 and up to 100, rounded up.
        case percent(Double)

        /// How many of a number of endpoints that is; at least one.
        func needed(of total: Int) -> Int {
            switch self {
            case .count(let count): min(max(count, 1), max(total, 1))
            case .percent(let percent): max(1, Int((Double(total) * percent / 100).rounded(.up)))
            }
        }

        /// What is wrong with it; nil when nothing is.
        func problem(endpoints: Int) -> String? {
            switch self {
            case .count(let count) where count < 1: "\(count) is less than one"
            case .count(let count) where endpoints > 0 && count > endpoints:
                "\(count) is more than the \(endpoints) endpoints there are"
            case .percent(let percent) where !(percent > 0 && percent <= 100):
                "\(percent) is not above 0 and up to 100"
            default: nil
            }
        }
    }
}

extension InternetCheck.Quorum: CustomStringConvertible {
    /// The number, with `%` for a share.
    public var description: String {
        switch self {
        case .count(let count): "\(count)"
        case .percent(let percent): Int(exactly: percent).map { "\($0)%" } ?? "\(percent)%"
        }
    }

    /// Reads `2` or `50%`.
    ///
    /// - Throws: `ConfigurationError` for any other text.
    public init(parsing text: String) throws(InternetCheck.ConfigurationError) {
        if text.hasSuffix("%"), let percent = Double(text.dropLast()) {
            self = .percent(percent)
        } else if let count = Int(text) {
            self = .count(count)
        } else {
            throw .init("quorum", "\"\(text)\" is neither a number nor a percentage")
        }
        if let problem = problem(endpoints: 0) { throw .init("quorum", problem) }
    }
}
