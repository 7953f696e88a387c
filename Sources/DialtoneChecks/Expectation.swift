// SPDX-License-Identifier: Apache-2.0

extension InternetCheck {
    /// The answer that proves that an endpoint was reached.
    ///
    /// Those that compare the body also require a status of 200 to 299. Prefer bodies that no portal would produce by
    /// chance: `status(200)` is what every login page answers.
    public struct Expectation: Sendable {
        enum Kind: Sendable {
            case noContent
            case status(Int)
            case body(String)
            case prefix(String)
            case contains(String)
            case regex(String)
            case nonceEcho
            case custom(String, @Sendable (HTTPResponse) -> Bool)
        }

        let kind: Kind

        /// The status 204, which has no body; the default.
        public static let noContent = Self(kind: .noContent)

        /// This status, whatever the body.
        public static func status(_ code: Int) -> Self { Self(kind: .status(code)) }

        /// Exactly this text, except for white space at either end.
        public static func body(_ text: String) -> Self { Self(kind: .body(text)) }

        /// A body that begins with this text.
        public static func prefix(_ text: String) -> Self { Self(kind: .prefix(text)) }

        /// A body with this text somewhere in it.
        public static func contains(_ text: String) -> Self { Self(kind: .contains(text)) }

        /// A body in which this regular expression (Swift's `Regex`) matches somewhere.
        ///
        /// A pattern that does not parse makes `InternetCheck.init` throw. The body is untrusted: a pattern that takes
        /// exponential time holds a thread, though never the verdict.
        public static func regex(_ pattern: String) -> Self { Self(kind: .regex(pattern)) }

        /// The random text of the request's `Dialtone-Nonce` field, in a field of that name or as the whole body.
        ///
        /// Only a server made for it can answer so, and no cache or portal will. The text is in no URL, which portals
        /// like to repeat.
        public static let nonceEcho = Self(kind: .nonceEcho)

        /// The closure decides; it runs on a thread that it may block.
        ///
        /// - Parameters:
        ///   - description: its name in reports.
        ///   - isMet: returns whether a response, with any status, is the expected one.
        public static func custom(
            _ description: String, _ isMet: @escaping @Sendable (_ response: HTTPResponse) -> Bool
        ) -> Self {
            Self(kind: .custom(description, isMet))
        }
    }
}

extension InternetCheck.Expectation: CustomStringConvertible {
    /// Its spelling: `status:204`, `body:TEXT`, `prefix:TEXT`, `contains:TEXT`, `regex:RE`, `nonce`.
    public var description: String {
        switch kind {
        case .noContent: "status:204"
        case .status(let code): "status:\(code)"
        case .body(let text): "body:\(text)"
        case .prefix(let text): "prefix:\(text)"
        case .contains(let text): "contains:\(text)"
        case .regex(let pattern): "regex:\(pattern)"
        case .nonceEcho: "nonce"
        case .custom(let description, _): description
        }
    }

    /// Parses the spelling of `description`, which the command line also uses.
    ///
    /// - Throws: `ConfigurationError` for any other text, and for an invalid status or pattern.
    public init(parsing text: String) throws(InternetCheck.ConfigurationError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let value = parts.count == 2 ? parts[1] : ""
        switch parts[0] {
        case "status":
            // `problem` refuses the status -1.
            let code = Int(value) ?? -1
            self = code == 204 ? .noContent : .status(code)
        case "body" where parts.count == 2: self = .body(value)
        case "prefix" where parts.count == 2: self = .prefix(value)
        case "contains" where parts.count == 2: self = .contains(value)
        case "regex" where parts.count == 2: self = .regex(value)
        case "nonce" where parts.count == 1: self = .nonceEcho
        default:
            throw .init(
                "expectation",
                "'\(text)' must be status:CODE, body:TEXT, prefix:TEXT, contains:TEXT, regex:RE or nonce")
        }
        if let problem { throw .init("expectation", "'\(text)' \(problem)") }
    }
}
