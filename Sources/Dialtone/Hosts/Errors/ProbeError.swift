// SPDX-License-Identifier: Apache-2.0

/// Why a probe did not get the expected answer, and at which step.
///
/// The code is open: any version may add new ones, so a `switch` over it needs a `default`.
public struct ProbeError: Error, Hashable, Sendable {
    /// A step of a probe, in order.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Preparation: nothing has been sent.
        case prepare
        /// Resolving the host's name.
        case resolve
        /// Connecting to one of them.
        case connect
        /// Requesting a tunnel from a proxy.
        case proxy
        /// The TLS handshake.
        case tls
        /// Sending the request and reading the status and header fields.
        case headers
        /// Reading the body.
        case body
        /// Comparing the answer with the expected one.
        case judge
    }

    /// The code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        init(_ name: String) { description = name }

        /// There is no host of that name (`NXDOMAIN`).
        public static let hostNotFound = Self("hostNotFound")
        /// The name has no address of the wanted version.
        public static let noAddress = Self("noAddress")
        /// The name servers answered with an error (`SERVFAIL`), or the system gave up for an unknown reason.
        public static let nameServerFailure = Self("nameServerFailure")
        /// Nothing listens on port 53 of any name server.
        public static let nameServerRefused = Self("nameServerRefused")
        /// No name server answered.
        public static let nameServerSilent = Self("nameServerSilent")
        /// No name server can be reached: there is no route, or the link or router does not answer.
        public static let nameServerUnreachable = Self("nameServerUnreachable")
        /// A name of the public Internet resolved to a private address, whose plain answer proves nothing.
        public static let hijackedName = Self("hijackedName")
        /// The host refused the connection.
        public static let refused = Self("refused")
        /// There is no route to the host.
        public static let unreachable = Self("unreachable")
        /// The step took longer than it may.
        public static let timedOut = Self("timedOut")
        /// The connection was reset or ended before the answer did.
        public static let connectionLost = Self("connectionLost")
        /// The certificate's issuer is not trusted: often a portal or a filter that intercepts HTTPS.
        public static let untrustedCertificate = Self("untrustedCertificate")
        /// The certificate belongs to another name.
        public static let wrongCertificateName = Self("wrongCertificateName")
        /// The certificate is expired, not valid yet (is the clock right?), or wrong in another way.
        public static let invalidCertificate = Self("invalidCertificate")
        /// The handshake failed, or the server does not support TLS 1.2 or later.
        public static let tlsFailure = Self("tlsFailure")
        /// The response is not HTTP, or exceeds the limits of its header section.
        public static let malformedResponse = Self("malformedResponse")
        /// The answer is neither the expected one nor a portal's.
        public static let unexpectedAnswer = Self("unexpectedAnswer")
        /// The proxy refused, or its kind is not supported.
        public static let proxyFailure = Self("proxyFailure")
        /// This system has no TLS library or no CA certificates.
        public static let tlsUnavailable = Self("tlsUnavailable")
        /// The system did not permit binding to the interface, or a sandbox refuses sockets.
        public static let notPermitted = Self("notPermitted")
        /// The interface to bind to does not exist or has no address.
        public static let noSuchInterface = Self("noSuchInterface")
        /// The process has no descriptor, thread or memory left.
        public static let noResources = Self("noResources")
        /// The endpoint has no address of the wanted version of the Internet Protocol.
        public static let excluded = Self("excluded")
        /// The settings name a proxy that is no HTTP proxy.
        public static let unsupportedProxy = Self("unsupportedProxy")
        /// The verdict was reached without it.
        public static let abandoned = Self("abandoned")
        /// The check was cancelled.
        public static let cancelled = Self("cancelled")
    }

    /// The step that failed.
    public var step: Step
    /// The code.
    public var code: Code
    /// Details in words; may be empty.
    public var message: String
    /// The name servers that `message` lists.
    var nameServers: [NetworkAddress] = []
    /// The status with which a proxy answered in place of the host.
    package var proxyStatus: Int?

    /// Creates an error.
    public init(_ code: Code, during step: Step, _ message: String = "") {
        self.code = code
        self.step = step
        self.message = message
    }

    /// Whether the probe could not be performed, so that it says nothing about the network.
    public var isInability: Bool {
        switch code {
        case .tlsUnavailable, .notPermitted, .noSuchInterface, .noResources, .excluded, .unsupportedProxy, .abandoned,
            .cancelled:
            true
        default: false
        }
    }
}

extension ProbeError: CustomStringConvertible {
    /// One line: the step, the code, and the details if there are any.
    public var description: String { "\(step.rawValue): \(code)" + (message.isEmpty ? "" : " (\(message))") }
}

extension ProbeError {
    /// What is wrong with the name servers, as a sentence; nil for another error, and if it is not known.
    var nameServerSentence: String? {
        guard step == .resolve, !message.isEmpty else { return nil }
        switch code {
        case .nameServerRefused, .nameServerUnreachable, .nameServerSilent: return message + "."
        // Otherwise the text may be the C library's, which does not list the servers.
        default: return nameServers.isEmpty ? nil : message + "."
        }
    }
}
