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

        /// Whether the answer is a text or a nonce that a forger would have to know.
        var isDistinctive: Bool {
            switch kind {
            case .body, .nonceEcho: true
            case .noContent, .status, .prefix, .contains, .regex, .custom: false
            }
        }

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
            _ description: String, _ isMet: @escaping @Sendable (_ response: InternetCheck.Response) -> Bool
        ) -> Self { Self(kind: .custom(description, isMet)) }
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
    /// - Throws: `InvalidConfiguration` for any other text, and for an invalid status or pattern.
    public init(parsing text: String) throws(InvalidConfiguration) {
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

extension InternetCheck.Expectation {
    /// The problem with the expectation itself; nil if it can be met.
    var problem: String? {
        switch kind {
        case .status(let code): return (200...599).contains(code) ? nil : "must have a status from 200 to 599"
        case .prefix(let text), .contains(let text):
            return text.isEmpty ? "must have a text, because every body contains the empty one" : nil
        case .regex(let pattern):
            do { _ = try Regex<AnyRegexOutput>(pattern) } catch {
                return "must have a valid regular expression: \(error)"
            }
            return nil
        case .noContent, .body, .nonceEcho, .custom: return nil
        }
    }

    /// Whether a response meets the expectation.
    ///
    /// - Parameters:
    ///   - response: as far as it was received; an incomplete body can only match a prefix or a part.
    ///   - nonce: the value of the request's `Dialtone-Nonce` field.
    func isMet(by response: HTTPResponse, nonce: String) -> Bool {
        let isSuccess = (200..<300).contains(response.status)
        switch kind {
        case .noContent: return response.status == 204
        case .status(let code): return response.status == code
        case .custom(_, let isMet): return isMet(response)
        case .body(let text):
            return isSuccess && response.isComplete && Self.trimmed(response.text) == Self.trimmed(text)
        case .prefix(let text): return isSuccess && response.body.starts(with: text.utf8)
        case .contains(let text): return isSuccess && response.text.contains(text)
        case .regex(let pattern):
            guard isSuccess, let regex = try? Regex<AnyRegexOutput>(pattern) else { return false }
            return (try? regex.firstMatch(in: response.text)) != nil
        case .nonceEcho:
            let isWholeBody = response.isComplete && Self.trimmed(response.text) == nonce[...]
            return isSuccess && (response[field: Nonce.field] == nonce || isWholeBody)
        }
    }

    /// Whether a response meets the expectation once the scripts in its body are removed.
    func isMetWithoutScripts(by response: HTTPResponse, nonce: String) -> Bool {
        let body = response.text
        var text = ""
        var rest = body[...]
        // Each pattern is searched once beyond the last match, so that the time does not grow with the square of a hostile body.
        while let start = rest.firstMatch(of: /(?i)<script[\s\/>]/)?.range,
            let end = rest[start.upperBound...].firstMatch(of: /(?i)<\/script\s*>/)?.range
        {
            text += rest[..<start.lowerBound]
            rest = rest[end.upperBound...]
        }
        text += rest
        guard text != body else { return false }
        if case .noContent = kind { return Self.trimmed(text).isEmpty }
        var response = response
        response.body = Array(text.utf8)
        return isMet(by: response, nonce: nonce)
    }

    /// Whether the status and header fields alone decide, so that the body is not needed.
    var ignoresBody: Bool {
        switch kind {
        case .noContent, .status: true
        default: false
        }
    }

    /// Whether the request must carry a nonce.
    var usesNonce: Bool { if case .nonceEcho = kind { true } else { false } }

    private static func trimmed(_ text: String) -> Substring {
        let start = text.drop(while: \.isWhitespace)
        return start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)
    }
}

/// Random texts that make each request unique.
enum Nonce {
    /// The header field that carries one to a server that echoes it.
    static let field = "Dialtone-Nonce"

    /// 16 hexadecimal digits.
    static func make() -> String { UInt64.random(in: .min ... .max).digits(16, radix: 16) }
}
