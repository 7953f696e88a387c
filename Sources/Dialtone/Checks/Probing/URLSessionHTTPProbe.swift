// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)

import Foundation

/// Sends requests with Apple's `URLSession`, which uses the system's proxies, VPNs and trust settings.
///
/// It reports the time of the whole request only, and neither binds to an interface nor chooses a family: with such a
/// configuration, and with additional trust anchors, its evidence says that it is excluded.
package struct URLSessionHTTPProbe: Prober {
    package init() {}

    package func probe(_ request: ProbeRequest) async -> ProbeResult {
        guard request.configuration.binding == .none, request.configuration.family == .any,
            request.configuration.additionalTrustAnchors.isEmpty
        else {
            return ProbeResult(error: ProbeError(.excluded, during: .prepare, "not supported by URLSession"))
        }
        guard let url = URL(string: request.url) else {
            return ProbeResult(error: ProbeError(.excluded, during: .prepare, "URLSession does not accept this URL"))
        }
        let time = TimeSource.system
        let start = time.now
        var wire = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)
        wire.timeoutInterval = max(0.001, time.now.duration(to: request.deadline) / .seconds(1))
        wire.httpShouldHandleCookies = false
        if let body = request.body {
            wire.httpMethod = "POST"
            wire.httpBody = Data(body)
        }
        for field in request.fields where field.name.lowercased() != "connection" {
            wire.setValue(field.value, forHTTPHeaderField: field.name)
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.waitsForConnectivity = false
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        if request.configuration.proxies == .bypass { configuration.connectionProxyDictionary = [:] }
        let session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        var result = ProbeResult()
        do {
            let (bytes, response) = try await session.bytes(for: wire)
            guard let response = response as? HTTPURLResponse else {
                throw ProbeError(.malformedResponse, during: .headers)
            }
            let fields = response.allHeaderFields.map {
                HTTPResponse.Field(name: "\($0.key)", value: "\($0.value)")
            }
            var answer = HTTPResponse(status: response.statusCode, fields: fields, isComplete: false)
            result.response = answer
            if !request.isEnough(answer) {
                answer.isComplete = true
                for try await byte in bytes {
                    guard answer.body.count < request.configuration.bodyLimit else {
                        answer.isComplete = false
                        break
                    }
                    answer.body.append(byte)
                }
                result.response = answer
            }
        } catch let error as ProbeError {
            result.error = error
        } catch {
            result.error = Self.meaning(of: error)
        }
        result.durations.total = time.now - start
        return result
    }

    private static func meaning(of error: any Error) -> ProbeError {
        let words = error.localizedDescription
        return switch (error as? URLError)?.code {
        case .cannotFindHost: ProbeError(.hostNotFound, during: .resolve, words)
        case .dnsLookupFailed: ProbeError(.nameServerFailure, during: .resolve, words)
        case .timedOut: ProbeError(.timedOut, during: .headers, words)
        case .cannotConnectToHost: ProbeError(.refused, during: .connect, words)
        case .networkConnectionLost: ProbeError(.connectionLost, during: .headers, words)
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
            ProbeError(.untrustedCertificate, during: .tls, words)
        case .serverCertificateHasBadDate, .serverCertificateNotYetValid:
            ProbeError(.invalidCertificate, during: .tls, words)
        case .secureConnectionFailed: ProbeError(.tlsFailure, during: .tls, words)
        case .badServerResponse, .cannotParseResponse: ProbeError(.malformedResponse, during: .headers, words)
        case .cancelled: ProbeError(.cancelled, during: .headers, words)
        case .appTransportSecurityRequiresSecureConnection:
            ProbeError(.notPermitted, during: .prepare, "App Transport Security forbids plain HTTP here")
        default: ProbeError(.unreachable, during: .connect, words)
        }
    }
}

/// Uses a redirect as the answer.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? { nil }
}

#endif
