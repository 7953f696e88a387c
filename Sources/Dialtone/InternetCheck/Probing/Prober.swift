//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Sends one request and says what came back: the seam through which tests and other network stacks come in.
///
/// A prober never follows a redirect, sends no cookie, uses no cache and decompresses nothing.
public protocol Prober: Sendable {
    /// Sends a GET request.
    ///
    /// It must not block its thread, and should end soon after its task is cancelled; it is not waited for beyond the
    /// request's deadline.
    func probe(_ request: ProbeRequest) async -> ProbeResult
}

/// One GET request, and what it may cost.
public struct ProbeRequest: Sendable {
    /// The URL as it is sent, without a fragment.
    public var url: String { "\(target.isSecure ? "https" : "http")://\(target.hostField)\(path)" }
    /// The header fields to send besides `Host`.
    public internal(set) var fields: [HTTPResponse.Field]
    /// How long each step may take.
    public internal(set) var timeouts: InternetCheck.Configuration.Timeouts
    /// When all must be over.
    public internal(set) var deadline: ContinuousClock.Instant
    /// Which addresses may be used.
    public internal(set) var family: InternetCheck.Configuration.Family
    /// What the socket is to be tied to.
    public internal(set) var binding: InternetCheck.Configuration.Binding
    /// Whether the environment's proxies are to be used.
    public internal(set) var proxies: InternetCheck.Configuration.Proxies
    /// How many bytes of the body are read, at the most.
    public internal(set) var bodyLimit: Int
    /// Certificates (PEM) to trust besides the system's.
    public internal(set) var additionalTrustAnchors: [String]

    let target: ProbeTarget
    /// The path and query as they are sent.
    let path: String
    /// Whether the status and header fields of a response are all that is needed of it.
    let isEnough: @Sendable (HTTPResponse) -> Bool

    init(
        _ target: ProbeTarget, path: String, fields: [HTTPResponse.Field],
        configuration: InternetCheck.Configuration, deadline: ContinuousClock.Instant,
        isEnough: @escaping @Sendable (HTTPResponse) -> Bool = { _ in false }
    ) {
        self.target = target
        self.path = path
        self.fields = fields
        timeouts = configuration.timeouts
        self.deadline = deadline
        family = configuration.family
        binding = configuration.binding
        proxies = configuration.proxies
        bodyLimit = configuration.bodyLimit
        additionalTrustAnchors = configuration.additionalTrustAnchors
        self.isEnough = isEnough
    }
}

/// What came of a request.
public struct ProbeResult: Hashable, Sendable {
    /// The response, as far as it came; nil when its header section did not arrive.
    public var response: HTTPResponse?
    /// What went wrong; there may be a response all the same, when only its body did not arrive.
    public var error: ProbeError?
    /// The address that was connected to, or tried last.
    public var address: HostAddress?
    /// How long the steps took.
    public var durations: InternetCheck.Evidence.Durations
    /// Whether the address is a proxy's, which says nothing about the host's name.
    var isProxied = false

    /// Makes a result.
    public init(
        response: HTTPResponse? = nil, error: ProbeError? = nil, address: HostAddress? = nil,
        durations: InternetCheck.Evidence.Durations = .init()
    ) {
        self.response = response
        self.error = error
        self.address = address
        self.durations = durations
    }
}
