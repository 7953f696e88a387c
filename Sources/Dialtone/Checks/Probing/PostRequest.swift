// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// A POST request to one URL, with the bounds of a probe: no redirects, no cookies, and limits on time and size.
package struct PostRequest: Hashable, Sendable {
    private let target: ProbeTarget

    /// - Throws: if it is not an `http` or `https` URL, or has a user or a password.
    package init(to url: String) throws(InvalidConfiguration) { target = try ProbeTarget(url, of: "url") }

    /// Whether it is sent over HTTPS.
    package var isSecure: Bool { target.isSecure }

    /// The host: a name, or an address without brackets.
    package var host: String { target.host }

    /// Sends the request, and returns the status and the header fields of the response, without its body.
    ///
    /// - Parameters:
    ///   - body: the body.
    ///   - fields: the header fields besides those of every request.
    ///   - proxies: the proxies to use.
    ///   - limit: the maximum duration.
    package func send(
        _ body: [UInt8], _ fields: [HTTPResponse.Field], proxies: InternetCheck.Configuration.Proxies,
        within limit: Duration
    ) async -> Result<HTTPResponse, ProbeError> {
        let common = [
            ("Accept", "*/*"), ("Accept-Encoding", "identity"), ("Connection", "close"),
            ("User-Agent", InternetCheck.userAgent),
        ]
        var configuration = InternetCheck.Configuration(proxies: proxies)
        configuration.timeouts = .init(
            resolve: limit, connect: limit, tls: limit, headers: limit, body: limit, total: limit)
        let request = ProbeRequest(
            target: target, path: target.target,
            fields: common.map { HTTPResponse.Field(name: $0, value: $1) } + fields, body: body,
            configuration: configuration, deadline: TimeSource.system.now + limit, isEnough: { _ in true })
        let result = await InternetCheck.systemProber.result(of: request)
        if let response = result.response { return .success(response) }
        return .failure(result.error ?? ProbeError(.malformedResponse, during: .headers))
    }
}
