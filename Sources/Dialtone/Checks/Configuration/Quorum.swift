// SPDX-License-Identifier: Apache-2.0

extension InternetCheck {
    /// The number or share of endpoints that must answer as expected.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Quorum: Hashable, Sendable {
        /// A number of endpoints; at most the number of configured ones.
        case count(Int)
        /// A share of the endpoints in percent, above 0 and up to 100, rounded up.
        ///
        /// Instead of up to 50 %, it is enough if at least two operators pass over HTTPS, and these are more than half of those
        /// that have an HTTPS endpoint. It is never enough while HTTPS fails for most of several operators.
        case percent(Double)

        /// The number of endpoints out of a total that must answer; at least one.
        func needed(of total: Int) -> Int {
            switch self {
            case .count(let count): min(max(count, 1), max(total, 1))
            case .percent(let percent): max(1, Int((Double(total) * percent / 100).rounded(.up)))
            }
        }

        /// The reason why it is invalid; nil if it is valid.
        func problem(endpoints: Int) -> String? {
            switch self {
            case .count(let count) where count < 1: "must be at least 1"
            case .count(let count) where endpoints > 0 && count > endpoints:
                "must be at most \(endpoints), the number of endpoints"
            case .percent(let percent) where !(percent > 0 && percent <= 100):
                "must be above 0 % and at most 100 %"
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

    /// Parses `2` or `50%`.
    ///
    /// - Throws: `InvalidConfiguration` for any other text; it quotes the text.
    public init(parsing text: String) throws(InvalidConfiguration) {
        if text.hasSuffix("%"), let percent = Double(text.dropLast()) {
            self = .percent(percent)
        } else if let count = Int(text) {
            self = .count(count)
        } else {
            throw .init("quorum", "'\(text)' must be a whole number or a percentage such as 50%")
        }
        if let problem = problem(endpoints: 0) { throw .init("quorum", "'\(text)' \(problem)") }
    }
}
