// SPDX-License-Identifier: Apache-2.0

extension InternetCheck.Expectation {
    /// The problem with the expectation itself; nil if it can be met.
    var problem: String? {
        switch kind {
        case .status(let code): (200...599).contains(code) ? nil : "must have a status from 200 to 599"
        case .prefix(let text), .contains(let text):
            text.isEmpty ? "must have a text, because every body contains the empty one" : nil
        case .regex(let pattern): Self.problem(ofPattern: pattern)
        case .noContent, .body, .nonceEcho, .custom: nil
        }
    }

    private static func problem(ofPattern pattern: String) -> String? {
        do {
            _ = try Regex<AnyRegexOutput>(pattern)
            return nil
        } catch {
            return "must have a valid regular expression: \(error)"
        }
    }

    /// Whether a response meets the expectation.
    ///
    /// - Parameters:
    ///   - response: as far as it was received; an incomplete body can only match a prefix or a part.
    ///   - nonce: the value of the request's `Dialtone-Nonce` field.
    func isMet(by response: HTTPResponse, nonce: String) -> Bool {
        switch kind {
        case .noContent: return response.status == 204
        case .status(let code): return response.status == code
        case .custom(_, let isMet): return isMet(response)
        case .body, .prefix, .contains, .regex, .nonceEcho: break
        }
        guard (200..<300).contains(response.status) else { return false }
        switch kind {
        case .body(let text): return response.isComplete && Self.trimmed(response.text) == Self.trimmed(text)
        case .prefix(let text): return response.body.starts(with: text.utf8)
        case .contains(let text): return response.text.contains(text)
        case .regex(let pattern):
            guard let regex = try? Regex<AnyRegexOutput>(pattern) else { return false }
            return (try? regex.firstMatch(in: response.text)) != nil
        case .nonceEcho:
            let isWholeBody = response.isComplete && Self.trimmed(response.text) == nonce[...]
            return response[field: Nonce.field] == nonce || isWholeBody
        case .noContent, .status, .custom: return false
        }
    }

    /// Whether the status and header fields alone decide, so that the body is not needed.
    var ignoresBody: Bool {
        switch kind {
        case .noContent, .status: true
        default: false
        }
    }

    /// Whether the request must carry a nonce.
    var usesNonce: Bool {
        if case .nonceEcho = kind { true } else { false }
    }

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
    static func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
