// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

/// Classifies the result of a probe: passed, a portal, or a failure with its reason.
///
/// A pure value. The rules are Android's, which portals are built to satisfy: on plain HTTP any status from 200 to 399 that is not the
/// expected answer is a portal's, unless its body is empty or tiny. Over HTTPS only the operator can have answered,
/// so no answer there is a portal's.
struct ResponseClassifier {
    let target: ProbeTarget
    var operatorName: String?
    let expectation: InternetCheck.Expectation
    /// Whether a private address is a forgery.
    let isPublic: Bool
    /// The value of the request's `Dialtone-Nonce` field.
    let nonce: String

    /// A body up to this number of bytes is a server's error, not a login page.
    private static let tinyBody = 4

    /// The evidence from a result, with the endpoint's URL as configured.
    func evidence(url: String, _ result: ProbeResult) -> InternetCheck.Evidence {
        var evidence = InternetCheck.Evidence(
            url: url, operatorName: operatorName, outcome(result), status: result.response?.status,
            address: result.address, durations: result.durations)
        evidence.proxy = result.proxy
        evidence.failedAttempts = result.failedAttempts
        evidence.packets = result.packets
        evidence.hasAddedScripts =
            evidence.status == 200 && !target.isSecure && !evidence.passed
            && result.response.map { expectation.isMetWithoutScripts(by: $0, nonce: nonce) } == true
        return evidence
    }

    func outcome(_ result: ProbeResult) -> InternetCheck.Evidence.Outcome {
        let isForged = isPublic && !result.isProxied && result.address.map(\.isPrivate) ?? false
        guard let response = result.response else {
            let error = result.error ?? ProbeError(.connectionLost, during: .headers)
            return .failed(isForged && !error.isInability ? forged(error) : error)
        }
        if expectation.isMet(by: response, nonce: nonce) {
            return isForged && !target.isSecure ? .failed(forged(nil)) : .passed
        }
        if target.isSecure { return .failed(result.error ?? unexpected(response)) }
        // A DNS filter leads to this machine itself, where an unrelated server may listen: that is no login page.
        if isForged, result.address.map(\.isThisHost) ?? false { return .failed(forged(nil)) }
        switch response.status {
        case 407 where result.isProxied: return .failed(.proxy(answering: 407))
        case 511: return .portal(PortalURL.find(in: response, of: target.url))
        case 300..<400 where isUpgrade(response):
            return .failed(unexpected(response, "it redirects to the same URL under HTTPS"))
        case 300..<400: return .portal(PortalURL.find(in: response, of: target.url))
        case 200..<300: return wrongContent(response, result.error)
        default: return .failed(isForged ? forged(unexpected(response)) : unexpected(response))
        }
    }

    private func wrongContent(_ response: HTTPResponse, _ error: ProbeError?) -> InternetCheck.Evidence.Outcome {
        // An incomplete body may be the beginning of the expected one.
        if let error, !expectation.ignoresBody { return .failed(error) }
        if response.body.count <= Self.tinyBody {
            return .failed(error ?? unexpected(response, "and a body of \(response.body.count) bytes"))
        }
        // A portal does not know the text; where it must be empty, the script may lead to a login.
        if !expectation.ignoresBody, expectation.isMetWithoutScripts(by: response, nonce: nonce) {
            return .failed(unexpected(response, "with scripts in it"))
        }
        return .portal(PortalURL.find(in: response, of: target.url))
    }

    /// Whether the answer is a redirect to the same URL under HTTPS, which servers send and portals do not.
    private func isUpgrade(_ response: HTTPResponse) -> Bool {
        guard let field = response[field: "location"], let location = try? ProbeTarget(field) else { return false }
        let path = location.target.prefix { $0 != "?" }
        return location.isSecure && location.host.lowercased() == target.host.lowercased()
            && path == target.target.prefix { $0 != "?" }
    }

    private func unexpected(_ response: HTTPResponse, _ more: String = "") -> ProbeError {
        ProbeError(
            .unexpectedAnswer, during: .judge,
            "status \(response.status) instead of \(expectation)" + (more.isEmpty ? "" : ", \(more)"))
    }

    private func forged(_ error: ProbeError?) -> ProbeError {
        ProbeError(
            .hijackedName, during: .resolve,
            "\(target.host) resolves to a private address" + (error.map { "; \($0)" } ?? ""))
    }
}
