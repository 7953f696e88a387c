// SPDX-License-Identifier: Apache-2.0

package import Dialtone
import Foundation

/// Performs the request of the button.
package protocol RequestPerformer: Sendable {
    /// The server; nil if it is unknown.
    var server: HostTarget? { get }

    /// Performs the request once.
    ///
    /// - Throws: `RequestFailure` if there is no response.
    func perform() async throws -> RequestAnswer
}

/// The server's answer to the request of the button.
package struct RequestAnswer: Hashable, Sendable {
    /// The answer, without its body.
    package var reply: NetworkRequester.Reply
    /// The difference from the expected answer; nil if they are the same.
    package var mismatch: AnswerMismatch?

    package init(_ reply: NetworkRequester.Reply, mismatch: AnswerMismatch? = nil) {
        self.reply = reply
        self.mismatch = mismatch
    }
}

/// How an answer differs from the expected one, as the page shows it.
package enum AnswerMismatch: Error, Hashable, Sendable {
    /// The body is not the expected JSON.
    case notJSON
    /// A redirect, which is not followed.
    case redirect
    /// The answer is not the expected one.
    case other(expected: String)

    init(status: Int, expecting expectation: InternetCheck.Expectation) {
        if 300..<400 ~= status {
            self = .redirect
        } else if 200..<300 ~= status, expectation.isJSON {
            self = .notJSON
        } else {
            self = .other(expected: expectation.description)
        }
    }

    /// The text for the user.
    var advice: NetworkRequester.Advice {
        switch self {
        case .notJSON:
            NetworkRequester.Advice(
                title: "Failed to parse JSON", instruction: "The server answered, but not with JSON.")
        case .redirect:
            NetworkRequester.Advice(
                title: "Unexpected answer", instruction: "The server answered with a redirect, which is not followed.")
        case .other(let expected):
            NetworkRequester.Advice(
                title: "Unexpected answer", instruction: "The server answered, but not as expected: \(expected).")
        }
    }
}

extension InternetCheck.Expectation {
    /// A complete JSON text (RFC 8259) with a status of 200 to 299.
    static let json = Self.custom(jsonName) { response in
        guard 200..<300 ~= response.status, response.isComplete else { return false }
        return (try? JSONSerialization.jsonObject(with: Data(response.body), options: .fragmentsAllowed)) != nil
    }

    private static let jsonName = "JSON"

    fileprivate var isJSON: Bool { description == Self.jsonName }

    /// The expected status; nil if the body decides.
    fileprivate var status: Int? {
        let text = description
        return text.hasPrefix("status:") ? Int(text.dropFirst("status:".count)) : nil
    }
}

/// A request for a URL, over the same restricted HTTP that checks use: limited time and size, no cookies, no redirects.
struct PlainRequest: RequestPerformer {
    package let server: HostTarget?
    private let check: InternetCheck
    private let expectation: InternetCheck.Expectation

    /// The maximum number of bytes of a body.
    private static let bodyLimit = 1 << 20

    /// Creates a request.
    ///
    /// - Parameter request: the URL, and the answer that it must get.
    /// - Throws: if the URL is invalid, or the expected answer is one that means failure.
    init(
        _ request: InternetCheck.Endpoint, proxies: InternetCheck.Configuration.Proxies = .bypass,
        _ makeCheck: (InternetCheck.Configuration) throws(InvalidConfiguration) -> InternetCheck = {
            configuration throws(InvalidConfiguration) in try InternetCheck(configuration)
        }
    ) throws(ServerError) {
        // A server in a private network may be meant.
        var request = request
        request.isPublic = false
        let configuration = InternetCheck.Configuration(
            endpoints: [request], proxies: proxies, bodyLimit: Self.bodyLimit, captivePortalAPI: .off)
        do throws(InvalidConfiguration) {
            check = try makeCheck(configuration)
        } catch {
            // The part before an @ may be a password, which must not appear in a log.
            throw ServerError(
                .badHost, (request.url.contains("@") ? "the URL " : "'\(request.url)' ") + error.problem)
        }
        if let status = request.expectation.status, !(200..<300 ~= status) {
            throw ServerError(.badHost, "'\(request.expectation)' must have a status from 200 to 299")
        }
        expectation = request.expectation
        server = try? HostTarget(request.url)
    }

    package func perform() async throws -> RequestAnswer {
        let report = await check.run()
        guard let evidence = report.endpoints.first else { throw RequestFailure(.unknown) }
        guard let status = evidence.status,
            evidence.passed || evidence.portal != nil || evidence.error?.code == .unexpectedAnswer
        else {
            throw RequestFailure(evidence.error?.code.failure ?? .unknown)
        }
        let reply = NetworkRequester.Reply(status: status, isAuthenticated: evidence.passed && evidence.isSecure)
        return RequestAnswer(
            reply, mismatch: evidence.passed ? nil : AnswerMismatch(status: status, expecting: expectation))
    }
}

extension ProbeError.Code {
    /// The corresponding failure of a request.
    fileprivate var failure: RequestFailure.Kind {
        switch self {
        case .hostNotFound, .noAddress, .nameServerFailure, .nameServerRefused, .nameServerSilent,
            .nameServerUnreachable:
            .nameNotFound
        case .refused, .unreachable: .cannotConnect
        case .timedOut: .timedOut
        case .connectionLost: .connectionLost
        case .untrustedCertificate, .wrongCertificateName, .invalidCertificate, .tlsFailure: .tlsFailure
        case .notPermitted: .notAllowed
        case .cancelled: .cancelled
        default: .unknown
        }
    }
}
