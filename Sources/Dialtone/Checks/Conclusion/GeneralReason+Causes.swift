// SPDX-License-Identifier: Apache-2.0

extension GeneralReason {
    /// The sentence for a cause that holds for every path and report, so that it has no address; nil for an unknown cause.
    ///
    /// - Parameter interface: the interface at fault, if it is known.
    package static func sentence(
        for cause: ConnectivityCause, over interface: NetworkPath.Interface? = nil
    ) -> String? {
        if let reason = PathDiagnosis.Reason(rawValue: cause.rawValue) {
            return PathDiagnosis(reason, interface: interface).description
        }
        return sentences[cause]
            ?? InternetCheck.NoInternetReason(rawValue: cause.rawValue).map { $0.description }
    }

    private static let sentences: [ConnectivityCause: String] = [
        .notVisible: unreadable, .noPath: noPath, .onDemand: onDemand, .notChecked: unchecked,
        .socketsDenied: "A sandbox refuses sockets.",
        .lateByLoss: "No answer in time: packets are lost.",
        .slow: "This connection is very slow.",
        .lateNameServer: "A DNS server does not answer, which delays each name.",
        .lateNames: "DNS servers do not answer in time.",
        .late: "No answer in time: this connection is slow, or does not work.",
        .noResources: "The Internet could not be checked, because this machine lacks descriptors, threads or memory.",
        .unsupportedProxy: "The Internet could not be checked, because the proxy is not an HTTP proxy.",
        .undetermined: "Whether this is the Internet could not be determined.",
        .captivePortal: login, .ownPage: ownPage,
        .clock: "Certificates are not valid at this machine's time.",
        .rejectedHere: "This machine rejects its own connections.",
        .tlsUnavailable: "HTTPS cannot be checked.",
        .router: router(nil), .provider: provider,
        .proxyCredentials: "The proxy requires a user name and a password.",
        .proxyTunnel: "The proxy does not pass secure connections.",
        .proxyName: "The name of the proxy does not exist, or has no address.",
        .proxyRefused: "The proxy refuses connections.",
        .proxySilent: "The proxy does not answer.",
        .proxyError: "The proxy answers with an error.",
        .proxy: "The proxy does not lead to the Internet, or does not answer.",
        .packetLoss: "Packets are lost.",
        .largePackets: "Large packets are lost on the way.",
        .allSilent: "Neither the router nor anything beyond it answers.",
        .routerReport: "A router reports that it does not forward packets.",
        .tunnelSilent: "Nothing comes back through the tunnel.",
        .tunnelUplink: "The other end of the tunnel answers, but nothing beyond it does.",
        .tunnelNames: "DNS servers are reached through a tunnel, and nothing comes back through it.",
        .tunnelProxy: "The proxy is reached through a tunnel, and nothing comes back through it.",
        .linkSilent: "Nothing beyond this machine's own link answers.",
        .dnsUnreachable: "DNS servers cannot be reached.",
        .addressFamily: "An IP version is not answered, by which the DNS servers or most hosts are reached.",
        .transparentProxy: "Nothing comes back through the transparent proxy to which names lead.",
        .untranslated: "Names have addresses only of the IP version that the network lacks.",
        .interception: "Something is intercepting secure connections.",
        .certificate: "The certificate of a server is not accepted.",
        .serverError: "Servers answer with an error.",
        .acceptedInSilence: "Connections are accepted, but no answer arrives.",
        // HTTPS alone may be silent.
        .timedOut: "Connections are not answered.",
        .partial: noHTTPS,
    ]
}
