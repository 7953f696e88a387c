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
    /// - Throws: `notSecure` for another URL.
    public init(
        _ url: String, configuration: InternetCheck.Configuration = .init()
    ) throws(CaptivePortalError) {
        try self.init(url, configuration: configuration, prober: InternetCheck.systemProber)
    }

    /// - Parameter prober: sends the request.
    package init(
        _ url: String, configuration: InternetCheck.Configuration = .init(), prober: any Prober
    ) throws(CaptivePortalError) {
        guard let target = try? ProbeTarget(url), target.isSecure else {
            throw CaptivePortalError(.notSecure, "\(url) is not an https URL")
        }
        self.url = url
        self.target = target
        self.configuration = configuration
        self.prober = prober
    }

    /// Queries the API once.
    ///
    /// - Throws: `unreachable`, `status`, `mediaType` or `malformed`.
    public func state() async throws(CaptivePortalError) -> CaptivePortalState {
        try await state(until: TimeSource.system.now + configuration.timeouts.total, on: .system)
    }

    /// Queries the API once, until an instant of a clock.
    func state(
        until deadline: ContinuousClock.Instant, on time: TimeSource
    ) async throws(CaptivePortalError) -> CaptivePortalState {
        let request = ProbeRequest(
            target, path: target.target,
            fields: [
                .init(name: "Accept", value: Self.mediaType), .init(name: "Accept-Encoding", value: "identity"),
                .init(name: "Cache-Control", value: "no-cache, no-store"), .init(name: "Connection", value: "close"),
                .init(name: "User-Agent", value: InternetCheck.userAgent),
            ],
            configuration: configuration, deadline: deadline)
        let prober = prober
        let late = ProbeResult(error: ProbeError(.timedOut, during: .headers))
        let result = await firstAnswer(
            until: deadline, on: time, late: late,
            cancelled: ProbeResult(error: ProbeError(.cancelled, during: .headers))
        ) {
            await prober.probe(request)
        }
        return try Self.read(result)
    }

    static let mediaType = "application/captive+json"

    /// Reads the result of the request.
    static func read(_ result: ProbeResult) throws(CaptivePortalError) -> CaptivePortalState {
        guard let response = result.response else {
            throw CaptivePortalError(.unreachable, result.error?.description ?? "no answer")
        }
        guard response.status == 200 else { throw CaptivePortalError(.status, "status \(response.status)") }
        let parts = (response[field: "content-type"] ?? "").lowercased().split(separator: ";")
            .map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        guard parts.first == mediaType else {
            throw CaptivePortalError(.mediaType, "\(parts.first ?? "nothing") instead of \(mediaType)")
        }
        if let charset = parts.dropFirst().first(where: { $0.hasPrefix("charset=") }), charset != "charset=utf-8" {
            throw CaptivePortalError(.mediaType, "\(charset) instead of UTF-8")
        }
        guard response.isComplete else { throw CaptivePortalError(.malformed, "longer than the cap, or cut short") }
        return try CaptivePortalState(json: response.body)
    }
}

/// Why a captive portal API gave no valid answer.
///
/// The code is open: any version may add new ones, so a `switch` over it needs a `default`.
public struct CaptivePortalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String) { description = name }

        /// The URL is not `https`, which RFC 8908 requires.
        public static let notSecure = Self("notSecure")
        /// The server could not be reached or trusted.
        public static let unreachable = Self("unreachable")
        /// The status was not 200.
        public static let status = Self("status")
        /// The media type was not `application/captive+json`.
        public static let mediaType = Self("mediaType")
        /// The text is not what RFC 8908 describes.
        public static let malformed = Self("malformed")
    }

    /// The code.
    public let code: Code
    /// Details in words.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Code and message on one line.
    public var description: String { "\(code): \(message)" }
}
