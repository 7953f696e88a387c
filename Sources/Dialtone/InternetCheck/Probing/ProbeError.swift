//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a probe did not get the answer that was expected, and at which step.
///
/// The code is open: new ones may come with any version, so a `switch` over it needs a `default`.
public struct ProbeError: Error, Hashable, Sendable {
    /// A step of a probe, in the order in which they come.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Getting ready: nothing has been sent.
        case prepare
        /// Asking for the host's addresses.
        case resolve
        /// Connecting to one of them.
        case connect
        /// Asking a proxy for a tunnel.
        case proxy
        /// The TLS handshake.
        case tls
        /// Sending the request and reading the status and header fields.
        case headers
        /// Reading the body.
        case body
        /// Comparing the answer with what was expected.
        case judge
    }

    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String {
            case hostNotFound, noAddress, nameServerFailure, hijackedName
            case refused, unreachable, timedOut, connectionLost
            case untrustedCertificate, wrongCertificateName, invalidCertificate, tlsFailure
            case malformedResponse, unexpectedAnswer, proxyFailure
            case tlsUnavailable, notPermitted, noSuchInterface, noResources, excluded, abandoned, cancelled
        }
        let kind: Kind
        init(_ kind: Kind) { self.kind = kind }

        /// There is no host of that name (`NXDOMAIN`).
        public static let hostNotFound = Self(.hostNotFound)
        /// The name has no address of the wanted version.
        public static let noAddress = Self(.noAddress)
        /// The name servers failed (`SERVFAIL`), or did not answer before the system gave up.
        public static let nameServerFailure = Self(.nameServerFailure)
        /// A name of the public Internet led to a private address, whose plain answer proves nothing.
        public static let hijackedName = Self(.hijackedName)
        /// The host refused the connection.
        public static let refused = Self(.refused)
        /// There is no way to the host.
        public static let unreachable = Self(.unreachable)
        /// The step took longer than it may.
        public static let timedOut = Self(.timedOut)
        /// The connection was reset or ended before the answer did.
        public static let connectionLost = Self(.connectionLost)
        /// The certificate's issuer is not trusted: often a portal or a filter that sits in the way.
        public static let untrustedCertificate = Self(.untrustedCertificate)
        /// The certificate belongs to another name.
        public static let wrongCertificateName = Self(.wrongCertificateName)
        /// The certificate is expired, not valid yet (is the clock right?), or wrong in another way.
        public static let invalidCertificate = Self(.invalidCertificate)
        /// The handshake broke, or the other side does not speak TLS 1.2 or later.
        public static let tlsFailure = Self(.tlsFailure)
        /// What came is not HTTP, or exceeds the limits of its header section.
        public static let malformedResponse = Self(.malformedResponse)
        /// An answer came that is neither what was expected nor what a portal sends.
        public static let unexpectedAnswer = Self(.unexpectedAnswer)
        /// The proxy refused, or is of a kind that is not spoken.
        public static let proxyFailure = Self(.proxyFailure)
        /// This system has no TLS library, or no certificates of authorities to trust.
        public static let tlsUnavailable = Self(.tlsUnavailable)
        /// The system did not permit binding to the interface.
        public static let notPermitted = Self(.notPermitted)
        /// The interface to bind to does not exist or has no address.
        public static let noSuchInterface = Self(.noSuchInterface)
        /// The process has no descriptor, thread or memory left.
        public static let noResources = Self(.noResources)
        /// The endpoint does not belong to the wanted version of the Internet Protocol.
        public static let excluded = Self(.excluded)
        /// The verdict was reached without it.
        public static let abandoned = Self(.abandoned)
        /// The check was cancelled.
        public static let cancelled = Self(.cancelled)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// At which step.
    public var step: Step
    /// The kind of failure.
    public var code: Code
    /// More about it in words, where there is more to say.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, during step: Step, _ message: String = "") {
        self.code = code
        self.step = step
        self.message = message
    }

    /// Whether the probe could not be made, so that it says nothing about the network.
    public var isInability: Bool {
        switch code.kind {
        case .tlsUnavailable, .notPermitted, .noSuchInterface, .noResources, .excluded, .abandoned, .cancelled: true
        default: false
        }
    }
}

extension ProbeError: CustomStringConvertible {
    /// One line: the step, the code, and more where there is more to say.
    public var description: String { "\(step.rawValue): \(code)" + (message.isEmpty ? "" : " (\(message))") }
}
