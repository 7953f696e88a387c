// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// What is known about the way from this process to the Internet: what a path and a check over it show, without any conclusion.
///
/// From near to far: the path, routers, name servers, public addresses, and the operators of the endpoints. Each is a list but the
/// path. The rows of ``Rule`` read this value and nothing else. It is `Encodable`, so that tests can judge a stored value again.
package struct Facts: Hashable, Sendable {
    /// The links: the path, with the diagnosis of a missing one.
    package var path: NetworkPath
    /// What the answers of the endpoints amount to, be it by too short a silence; nil without a check.
    var answers: InternetCheck.Verdict?
    /// Whether enough endpoints passed, if `answers` count the silence of the others against it.
    var hasQuorum = false
    /// What the answers amount to without a silence that is too short to prove anything.
    var verdict: InternetCheck.Verdict?
    /// The state that a program asserted in the place of a check; nil for a real one.
    var assertedState: ConnectivityState?
    /// The duration of the check.
    var duration = Duration.zero
    /// The time limit of a check whose silence is judged; nil if it is not.
    var limit: Duration?
    /// The time since the first of the successive checks that ended in silence.
    var silence = Duration.zero
    /// Whether an earlier check has proven the Internet over this network, since its link came up.
    var wasProven = false
    /// Whether an outage began or ended during the check.
    var metOutage = false
    /// The tunnel that all packets to the Internet enter; nil if some do not, or if that is not known.
    var tunnel: String?
    /// The tunnel that leads to the proxy; nil if none is known to.
    var proxyTunnel: String?
    /// The reason why nothing was sent, if no endpoint can be contacted.
    var diagnosis: PathDiagnosis?
    var routers: [InternetCheck.RouterAnswer] = []
    var nameServers: [InternetCheck.NameServerAnswer] = []
    /// The public addresses, which need no names.
    var beyond: [InternetCheck.AddressAnswer] = []
    /// Addresses of an IP version that was outpaced or failed.
    var otherVersion: [InternetCheck.AddressAnswer] = []
    /// The endpoints, each with the proxy that applied.
    var operators: [InternetCheck.Evidence] = []
    /// The network's own statement.
    @Boxed var captivePortalAPI: InternetCheck.Report.CaptivePortalEvidence?
    /// Whether packets of full size arrive; nil if that was not tried.
    var largePackets: LargePacketProbe.Outcome?
    /// The IP version by which that was tried.
    var largePacketsVersion: IPVersion?
    /// The IP version for whose addresses the name servers do not answer queries, while they answer others; nil without one.
    var unansweredQueries: IPVersion?
    /// What a second operator shows by the IP version by which another one alone shows a login page; nil if it was not queried.
    @Boxed var secondPage: InternetCheck.Evidence?
    /// The loss that the check measured; nil if it did not.
    var measuredLoss: PacketLoss?
    /// The loss if all packets without an answer in time were lost; nil if it was measured, or that was not tried.
    var lossAtMost: PacketLoss?
    /// The IP version by which alone packets are lost; nil if that is not known.
    var lossVersion: IPVersion?
    /// The loss of the heartbeat's packets in a whole minute; nil without one that is worth a remark.
    var heartbeatLoss: PacketLoss?

    /// Collects the facts of a path, the check over it, and a heartbeat.
    package init(_ path: NetworkPath, _ report: InternetCheck.Report? = nil, heartbeatLoss: PacketLoss? = nil) {
        self.path = path
        self.heartbeatLoss = heartbeatLoss
        guard let report else { return }
        answers = report.answers ?? report.verdict
        duration = report.duration
        diagnosis = report.diagnosis
        assertedState = report.assertedState
        hasQuorum = report.hasQuorum
        limit = report.limit
        silence = report.silence
        wasProven = report.wasProven
        metOutage = report.metOutage
        operators = report.endpoints
        captivePortalAPI = report.captivePortalAPI
        otherVersion = report.familyAnswers
        secondPage = report.secondPage
        if let hops = report.hops {
            routers = hops.routers
            nameServers = hops.nameServers
            beyond = hops.publicAddresses
            largePackets = hops.largePackets
            measuredLoss = hops.loss
            lossAtMost = hops.lossAtMost
            lossVersion = hops.lossVersion
            largePacketsVersion = hops.largePacketsVersion
            unansweredQueries = hops.unansweredQueries
            tunnel = hops.tunnel
            proxyTunnel = hops.proxyTunnel
        }
        verdict = isPremature ? hasQuorum ? .verified : .inconclusive : answers
    }

    /// Collects the facts of a check, as if its path was satisfied.
    init(_ report: InternetCheck.Report) { self.init(NetworkPath(status: .satisfied), report) }
}

extension InternetCheck.Evidence {
    /// Whether it gave an answer that only its operator can give: one under its certificate.
    var isProven: Bool { isSecure && status != nil }

    /// Whether its name was resolved.
    var hasName: Bool { proxy == nil && error?.step != .resolve && durations.resolve != nil }

    /// Whether a host, or something in its place, has accepted the connection.
    var isConnected: Bool {
        guard proxy == nil else { return false }
        return status != nil || [.tls, .headers, .body].contains(error?.step) && error?.isInability == false
    }

    /// Whether a connection was accepted, and then nothing came back over it but its end.
    ///
    /// What refuses a connection does not accept it first: one that is reset while it is made was accepted.
    var isEndedInSilence: Bool {
        switch error?.step {
        case .connect: error?.code == .connectionLost
        case .tls, .headers: [.timedOut, .connectionLost].contains(error?.code)
        default: false
        }
    }

    /// The fault of a foreign certificate, to follow "is".
    var certificateProblem: String { error?.code == .untrustedCertificate ? "not trusted" : "for another name" }

    /// The operator, or the host if it is unknown.
    var operatorText: String { operatorName ?? (try? ProbeTarget(url))?.host ?? url }

    /// The time for which the last step was not answered.
    var silence: Duration {
        let steps = [
            (ProbeError.Step.resolve, durations.resolve), (.connect, durations.connect), (.tls, durations.tls),
            (.headers, durations.headers), (.body, durations.body),
        ]
        // The duration of a step that was cut off may be known or not.
        let earlier = steps.prefix { $0.0 != error?.step }.compactMap(\.1).reduce(.zero, +)
        return durations.total - earlier
    }
}

extension InternetCheck.Evidence.Durations {
    /// All steps together, without the delay.
    package var latency: Duration { total - (delay ?? .zero) }
}
