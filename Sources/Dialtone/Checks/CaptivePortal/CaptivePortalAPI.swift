// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// A client of a network's captive portal API (RFC 8908).
///
/// ```swift
/// if let api = CaptivePortalDiscovery.current().api {
///     print(try await CaptivePortalAPI(api).state().isCaptive)
/// }
/// ```
public struct CaptivePortalAPI: Sendable {
    /// The API's URL.
    public let url: String
    private let target: ProbeTarget
    private let configuration: InternetCheck.Configuration
    private let prober: any Prober

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - url: an `https` URL, as RFC 8910 lets a network announce it.
    ///   - configuration: supplies the time bounds, binding, proxies and trust anchors.
    /// - Throws: for another URL, and for a configuration that `InternetCheck` refuses.
    public init(_ url: String, configuration: InternetCheck.Configuration = .init()) throws(InvalidConfiguration) {
        try self.init(url, configuration: configuration, prober: InternetCheck.systemProber)
    }

    /// - Parameter prober: sends the request.
    package init(
        _ url: String, configuration: InternetCheck.Configuration = .init(), prober: any Prober
    ) throws(InvalidConfiguration) {
        guard let target = try? ProbeTarget(url), target.isSecure else {
            throw InvalidConfiguration("url", "\(url) is not an https URL")
        }
        _ = try configuration.validated()
        self.url = url
        self.target = target
        self.configuration = configuration
        self.prober = prober
    }

    /// Queries the API once.
    ///
    /// - Throws: the error of the request, or `unexpectedAnswer` for another status or media type, and for text that is not
    ///   what RFC 8908 describes.
    public func state() async throws(ProbeError) -> CaptivePortalState {
        try await state(until: TimeSource.system.now + configuration.timeouts.total, on: .system)
    }

    /// Queries the API once, until an instant of a clock.
    func state(
        until deadline: ContinuousClock.Instant, on time: TimeSource
    ) async throws(ProbeError) -> CaptivePortalState {
        let request = ProbeRequest(
            target: target, path: target.target,
            fields: [
                .init(name: "Accept", value: Self.mediaType), .init(name: "Accept-Encoding", value: "identity"),
                .init(name: "Cache-Control", value: "no-cache, no-store"), .init(name: "Connection", value: "close"),
                .init(name: "User-Agent", value: InternetCheck.userAgent),
            ],
            configuration: configuration, deadline: deadline)
        return try Self.read(await prober.result(of: request, on: time))
    }

    static let mediaType = "application/captive+json"

    /// Reads the result of the request.
    static func read(_ result: ProbeResult) throws(ProbeError) -> CaptivePortalState {
        guard let response = result.response else {
            throw result.error ?? ProbeError(.unexpectedAnswer, during: .headers, "no answer")
        }
        guard response.status == 200 else { throw unexpected("status \(response.status)") }
        // It is in the text of an error.
        let parts = (response[field: "content-type"] ?? "").prefix(100).lowercased().split(separator: ";")
            .map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        guard parts.first == mediaType else { throw unexpected("\(parts.first ?? "nothing") instead of \(mediaType)") }
        if let charset = parts.dropFirst().first(where: { $0.hasPrefix("charset=") }), charset != "charset=utf-8" {
            throw unexpected("\(charset) instead of UTF-8")
        }
        guard response.isComplete else { throw unexpected("longer than the cap, or cut short") }
        return try CaptivePortalState(json: response.body)
    }

    /// The error for an answer that is not what RFC 8908 describes.
    static func unexpected(_ message: String) -> ProbeError { ProbeError(.unexpectedAnswer, during: .judge, message) }
}
