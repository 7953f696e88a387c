// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import SystemSupport

/// A collector of events: CloudEvents 1.0 in JSON batches, over HTTPS.
package struct EventTarget: Hashable, Sendable {
    let request: PostRequest
    let token: String?

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - url: an `https` URL, or an `http` URL of this machine, which needs no encryption.
    ///   - token: sent as `Authorization: Bearer …`; without surrounding white space.
    /// - Throws: ``AgentError`` if one of them is invalid.
    package init(_ url: String, token: String? = nil) throws(AgentError) {
        // The part before an @ may be a password, which must not appear in a log.
        let quoted = url.contains("@") ? "the URL" : "'\(url)'"
        do throws(InvalidConfiguration) {
            request = try PostRequest(to: url)
        } catch {
            throw AgentError(.collector, "\(quoted) \(error.problem)")
        }
        guard request.isSecure || Self.isThisMachine(request.host) else {
            throw AgentError(
                .collector,
                "\(quoted) must be an https URL: without encryption, anyone on the way could read the events")
        }
        guard let token else {
            self.token = nil
            return
        }
        let words = token.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first, word.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw AgentError(.token, "a token must consist of printable ASCII characters without spaces")
        }
        self.token = String(word)
    }

    private static func isThisMachine(_ host: String) -> Bool {
        host.lowercased() == "localhost" || NetworkAddress(host).map { ($0.embeddedIPv4 ?? $0).isLoopback } ?? false
    }

    /// Sends a body, and returns the result.
    ///
    /// The body of the response is not read.
    func send(
        _ body: [UInt8], proxies: InternetCheck.Configuration.Proxies, within limit: Duration = Self.timeLimit
    ) async -> DeliveryResult {
        var fields = [
            HTTPResponse.Field(name: "Content-Type", value: "application/cloudevents-batch+json; charset=UTF-8")
        ]
        if let token { fields.append(HTTPResponse.Field(name: "Authorization", value: "Bearer \(token)")) }
        switch await request.send(body, fields, proxies: proxies, within: limit) {
        case .success(let response) where 200..<300 ~= response.status: return .acknowledged
        case .success(let response):
            let now = response[field: "Date"].flatMap { Date(httpDate: $0) } ?? TimeSource.system.moment.realtime
            let delay = response[field: "Retry-After"].flatMap { Self.delay($0, at: now) }
            return .refused(status: response.status, retryAfter: delay)
        case .failure(let error): return .failed("\(error)")
        }
    }

    /// The seconds that a field `Retry-After` asks to wait: a number of any length, or a date (RFC 9110, section 10.2.3).
    ///
    /// - Parameter now: the time of the collector, whose clock may differ from this machine's.
    private static func delay(_ field: String, at now: Date) -> Double? {
        if field.isDecimal { return Double(field) }
        return Date(httpDate: field).map { max(0, $0.timeIntervalSince(now)) }
    }

    /// The maximum duration of a request.
    static let timeLimit = Duration.seconds(30)
}

/// The result of a request with a batch.
enum DeliveryResult: Hashable, Sendable {
    /// A status from 200 to 299.
    case acknowledged
    /// Another status, and the seconds to wait that the collector asked for.
    case refused(status: Int, retryAfter: Double?)
    /// No response.
    case failed(String)

    /// Why the batch must be sent again; nil if it was acknowledged.
    var problem: String? {
        switch self {
        case .acknowledged: nil
        case .refused(let status, _): "the collector answered with status \(status)"
        case .failed(let words): words
        }
    }
}

extension Date {
    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that senders may use today (RFC 9110, section 5.6.7).
    init?(httpDate text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let date = "\(words[3])-\(month < 9 ? "0" : "")\(month + 1)-\(words[1])T\(words[4])Z"
        guard let date = try? Date.ISO8601FormatStyle().parse(date) else { return nil }
        self = date
    }
}
