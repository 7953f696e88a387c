// SPDX-License-Identifier: Apache-2.0

import Dialtone
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
    /// - Throws: ``ServiceError`` if one of them is invalid.
    package init(_ url: String, token: String? = nil) throws(ServiceError) {
        // The part before an @ may be a password, which must not appear in a log.
        let quoted = url.contains("@") ? "the URL" : "'\(url)'"
        do throws(InvalidConfiguration) {
            request = try PostRequest(to: url)
        } catch {
            throw ServiceError("\(quoted) \(error.problem)")
        }
        guard request.isSecure || Self.isThisMachine(request.host) else {
            throw ServiceError(
                "\(quoted) must be an https URL: without encryption, anyone on the way could read the events")
        }
        guard let token else {
            self.token = nil
            return
        }
        let words = token.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first, word.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ServiceError("a token must consist of printable ASCII characters without spaces", .token)
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
            // A number of seconds, of any length; a date is not read (RFC 9110, section 10.2.3).
            let delay = response[field: "Retry-After"].flatMap { $0.isDecimal ? Double($0) : nil }
            return .refused(status: response.status, retryAfter: delay)
        case .failure(let error): return .failed("\(error)")
        }
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
