// SPDX-License-Identifier: Apache-2.0

/// Why this machine is not online, as a stable name for programs: one for each sentence of `Connectivity.reason`.
///
/// Any version may add names, so a `switch` over it needs a `default`. `docs/causes.md` lists them.
public struct ConnectivityCause: RawRepresentable, Hashable, Sendable, Codable {
    /// The spelling in JSON, hooks, events, the history, and metrics.
    public let rawValue: String

    /// Creates a cause from its spelling; unknown spellings are kept.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The cause of a missing path.
    public init(_ reason: PathDiagnosis.Reason) { self.init(rawValue: reason.rawValue) }
}

extension ConnectivityCause: CustomStringConvertible {
    /// The spelling.
    public var description: String { rawValue }
}

/// The path, and what a check could not decide.
extension ConnectivityCause {
    /// The network cannot be read.
    public static let notVisible = Self(rawValue: "notVisible")
    /// There is no path, and the system does not say why.
    public static let noPath = Self(rawValue: "noPath")
    /// A connection is available on demand.
    public static let onDemand = Self(rawValue: "onDemand")
    /// The Internet has not been checked yet.
    public static let notChecked = Self(rawValue: "notChecked")
    /// A sandbox refuses sockets.
    public static let socketsDenied = Self(rawValue: "socketsDenied")
    /// Answers are missing because packets are lost.
    public static let lateByLoss = Self(rawValue: "lateByLoss")
    /// Answers take seconds.
    public static let slow = Self(rawValue: "slow")
    /// A name server does not answer, which delays each name.
    public static let lateNameServer = Self(rawValue: "lateNameServer")
    /// Name servers do not answer within the time of the check.
    public static let lateNames = Self(rawValue: "lateNames")
    /// Nothing answers within the time of the check.
    public static let late = Self(rawValue: "late")
    /// The settings name a proxy of a kind that is not supported.
    public static let unsupportedProxy = Self(rawValue: "unsupportedProxy")
    /// This process, or this machine, has no descriptor, thread or memory left.
    public static let noResources = Self(rawValue: "noResources")
    /// Too little could be asked.
    public static let undetermined = Self(rawValue: "undetermined")
}

/// This machine, and the hops on the way.
extension ConnectivityCause {
    /// The network requires a login.
    public static let captivePortal = Self(rawValue: "captivePortal")
    /// The router shows its own page instead of the Internet: a login, or that it has no connection.
    public static let ownPage = Self(rawValue: "ownPage")
    /// This machine's clock is wrong.
    public static let clock = Self(rawValue: "clock")
    /// This machine rejects its own connections.
    public static let rejectedHere = Self(rawValue: "rejectedHere")
    /// HTTPS is required and cannot be checked here.
    public static let tlsUnavailable = Self(rawValue: "tlsUnavailable")
    /// The router does not answer.
    public static let router = Self(rawValue: "router")
    /// The proxy requires a user name and a password.
    public static let proxyCredentials = Self(rawValue: "proxyCredentials")
    /// The proxy does not pass secure connections.
    public static let proxyTunnel = Self(rawValue: "proxyTunnel")
    /// The name of the proxy does not exist, or has no address.
    public static let proxyName = Self(rawValue: "proxyName")
    /// The proxy refuses connections.
    public static let proxyRefused = Self(rawValue: "proxyRefused")
    /// The proxy does not answer.
    public static let proxySilent = Self(rawValue: "proxySilent")
    /// The proxy answers with an error.
    public static let proxyError = Self(rawValue: "proxyError")
    /// The proxy does not lead to the Internet.
    public static let proxy = Self(rawValue: "proxy")
    /// Packets are lost.
    public static let packetLoss = Self(rawValue: "packetLoss")
    /// All name servers, or most hosts, are reached by an IP version that is not answered, while the other one is.
    public static let addressFamily = Self(rawValue: "addressFamily")
    /// Packets of full size are lost.
    public static let largePackets = Self(rawValue: "largePackets")
    /// Names lead to a transparent proxy, and nothing comes back through it.
    public static let transparentProxy = Self(rawValue: "transparentProxy")
    /// A router reports that it does not forward packets.
    public static let routerReport = Self(rawValue: "routerReport")
    /// The router answers, and nothing beyond it.
    public static let provider = Self(rawValue: "provider")
    /// Nothing comes back through a tunnel, or another link of an unknown type.
    public static let tunnelSilent = Self(rawValue: "tunnelSilent")
    /// The other end of a tunnel answers, and nothing beyond it.
    public static let tunnelUplink = Self(rawValue: "tunnelUplink")
    /// The name servers are reached through a tunnel, and nothing comes back through it.
    public static let tunnelNames = Self(rawValue: "tunnelNames")
    /// The proxy is reached through a tunnel, and nothing comes back through it.
    public static let tunnelProxy = Self(rawValue: "tunnelProxy")
    /// Nothing beyond this machine's own link answers, which has no router.
    public static let linkSilent = Self(rawValue: "linkSilent")
    /// Neither the router nor anything beyond it answers, and the router may be present.
    public static let allSilent = Self(rawValue: "allSilent")
}

/// Names, and the operators of the endpoints.
extension ConnectivityCause {
    /// Names lead to wrong addresses.
    public static let hijackedNames = Self(rawValue: "hijackedNames")
    /// The names do not exist, or have no address.
    public static let hostNotFound = Self(rawValue: "hostNotFound")
    /// The name servers answer with an error.
    public static let nameResolution = Self(rawValue: "nameResolution")
    /// Nothing listens on port 53 of the name servers.
    public static let dnsRefused = Self(rawValue: "dnsRefused")
    /// The name servers do not answer.
    public static let dnsSilent = Self(rawValue: "dnsSilent")
    /// The name servers cannot be reached.
    public static let dnsUnreachable = Self(rawValue: "dnsUnreachable")
    /// Names have addresses only of the IP version that the network lacks.
    public static let untranslated = Self(rawValue: "untranslated")
    /// Several operators show foreign certificates.
    public static let interception = Self(rawValue: "interception")
    /// An operator shows a foreign certificate.
    public static let certificate = Self(rawValue: "certificate")
    /// Handshakes break off.
    public static let tls = Self(rawValue: "tls")
    /// Servers answer with an error.
    public static let serverError = Self(rawValue: "serverError")
    /// Servers answer, but not as expected.
    public static let unexpectedAnswers = Self(rawValue: "unexpectedAnswers")
    /// Connections are refused.
    public static let refused = Self(rawValue: "refused")
    /// There is no route.
    public static let unreachable = Self(rawValue: "unreachable")
    /// Connections are accepted, and then nothing is sent.
    public static let acceptedInSilence = Self(rawValue: "acceptedInSilence")
    /// Connections are not answered.
    public static let timedOut = Self(rawValue: "timedOut")
    /// Plain HTTP passes and HTTPS does not, for another reason than those above.
    public static let partial = Self(rawValue: "partial")
}
