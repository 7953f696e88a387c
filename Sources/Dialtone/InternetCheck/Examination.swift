//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import FoundationEssentials

/// Reads what came of a probe: passed, a portal, or neither, and why.
///
/// It decides by values alone.
///
/// The rules are Android's, which portals are built to satisfy: on plain HTTP any status from 200 to 399 that is not the
/// expected answer is a portal's, unless its body is empty or tiny. Over HTTPS nobody but the operator can have answered,
/// so nothing there is a portal's.
struct Examination {
    let target: ProbeTarget
    let expectation: InternetCheck.Expectation
    /// Whether a private address is a forgery.
    let isPublic: Bool
    /// The value of the request's `Dialtone-Nonce` field.
    let nonce: String

    /// Bodies up to this many bytes are a server's shrug, not a login page.
    private static let tinyBody = 4

    /// Turns a result into evidence.
    func evidence(url: String, _ result: ProbeResult) -> InternetCheck.Evidence {
        var evidence = InternetCheck.Evidence(
            url: url, passed: false, status: result.response?.status, address: result.address,
            durations: result.durations)
        switch finding(result) {
        case .passed: evidence.passed = true
        case .portal(let url): evidence.portal = url
        case .failed(let error): evidence.error = error
        }
        return evidence
    }

    enum Finding: Hashable {
        case passed
        case portal(URL)
        case failed(ProbeError)
    }

    func finding(_ result: ProbeResult) -> Finding {
        let isForged = isPublic && !result.isProxied && result.address.map(\.isPrivate) ?? false
        guard let response = result.response else {
            let error = result.error ?? ProbeError(.connectionLost, during: .headers)
            return .failed(isForged && !error.isInability ? forged(error) : error)
        }
        if expectation.isMet(by: response, nonce: nonce) {
            return isForged && !target.isSecure ? .failed(forged(nil)) : .passed
        }
        if target.isSecure { return .failed(result.error ?? unexpected(response)) }
        // A filter of names leads to this machine itself, where a server of its own may listen: nobody logs in there.
        if isForged, result.address.map(\.leadsHere) ?? false { return .failed(forged(nil)) }
        switch response.status {
        case 511: return .portal(PortalURL.find(in: response, of: target.url))
        case 300..<400 where isUpgrade(response):
            return .failed(unexpected(response, "it only sends to its own HTTPS side"))
        case 300..<400: return .portal(PortalURL.find(in: response, of: target.url))
        case 200..<300: return wrongContent(response, result.error)
        default: return .failed(unexpected(response))
        }
    }

    private func wrongContent(_ response: HTTPResponse, _ error: ProbeError?) -> Finding {
        // Half a body may have been the right one.
        if let error, !expectation.ignoresBody { return .failed(error) }
        if response.body.count <= Self.tinyBody {
            return .failed(error ?? unexpected(response, "and a body of \(response.body.count) bytes"))
        }
        return .portal(PortalURL.find(in: response, of: target.url))
    }

    /// Whether the answer is a redirect to the same place under HTTPS, which servers give and portals have no use for.
    private func isUpgrade(_ response: HTTPResponse) -> Bool {
        guard let location = response[field: "location"], let place = try? ProbeTarget(location) else { return false }
        let path = place.target.prefix { $0 != "?" }
        return place.isSecure && place.host.lowercased() == target.host.lowercased()
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
            "\(target.host) led to a private address" + (error.map { "; \($0)" } ?? ""))
    }
}
