// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Testing

/// A wrong conclusion that the rules draw about networks with a fault.
///
/// The table may only become shorter. Each entry ends with the right answer. Most of these networks have two faults whose facts are those
/// of one fault that is more likely: the conclusion names that one, and is right where it is the only one.
struct KnownWrongConclusion: Sendable, CustomTestStringConvertible {
    let kind: NetworkFault.Kind
    let problem: String
    /// A network about which it is drawn.
    let seed: UInt64
    let why: String

    init(_ kind: NetworkFault.Kind, _ problem: String, seed: UInt64, _ why: String) {
        (self.kind, self.problem, self.seed, self.why) = (kind, problem, seed, why)
    }

    func allows(_ problem: String, in network: RandomNetwork) -> Bool {
        problem == self.problem && network.faults.contains { $0.kind == kind }
    }

    var description: String { "\(kind.rawValue): \(problem)" }
    var testDescription: String { description }

    static let all: [Self] = [
        Self(
            .versionRejected, "blames nameServers (dnsUnreachable)", seed: 18193,
            "Most packets are lost, so that the IP version of the name servers cannot be compared with the other one: not known."
        ),
        Self(
            .operatorRedirected, "blames portal (captivePortal)", seed: 324,
            "The other fault keeps others from being verified. A portal that itself answers the requests of checks that it knows has the same facts: not known."
        ),
        Self(
            .secureReset, "is online", seed: 7262,
            "Packets are lost, too, so that the HTTPS of other operators is not known: filter, or not known."),
        Self(
            .secureDropped, "is online", seed: 11459,
            "Packets are lost, too, which may explain a silence of four seconds, but not of five operators: filter, or not known."
        ),
        Self(
            .namesSilent, "blames provider (provider)", seed: 3497,
            "Something accepts connections in the place of public addresses. A dead provider behind a modem that accepts them has the same facts: not known."
        ),
        Self(
            .namesSilent, "blames provider (linkSilent)", seed: 4057,
            "Something accepts connections in the place of public addresses. A dead provider behind a modem that accepts them has the same facts: not known."
        ),
        Self(
            .namesBlocked, "blames provider (linkSilent)", seed: 838,
            "Something accepts connections in the place of public addresses, and port 53 is blocked. A dead provider behind a modem that accepts them has the same facts: not known."
        ),
        Self(
            .versionDead, "blames nameServers (dnsSilent)", seed: 1634,
            "Answers are late, so that the IP version of the name servers cannot be compared with the other one: not known."
        ),
        Self(
            .machineBlocksHTTPS, "blames provider (provider)", seed: 2078,
            "Names are not resolved, and port 443 is blocked: nothing else was asked. A dead provider has the same facts: not known."
        ),
        Self(
            .namesBlocked, "blames provider (provider)", seed: 1732,
            "Nothing comes back over port 443 either, or too late. A dead provider has the same facts: not known."),
        Self(
            .longDelay, "blames provider (provider)", seed: 2947,
            "Names are not resolved, and public addresses answer later than they were awaited: name servers, or not known."
        ),
        Self(
            .portalByNames, "blames provider (provider)", seed: 1732,
            "The other fault keeps the portal's address from being found, and the router answers: not known."),
        Self(
            .plainBlocked, "blames provider (provider)", seed: 25833,
            "Plain HTTP is blocked, and port 443 is blocked or mute; that a router resolves names from the Internet does not count: not known."
        ),
        Self(
            .secureDropped, "blames provider (provider)", seed: 4177,
            "Names are not resolved, or plain HTTP is blocked too: nothing else was asked. Not known."),
        Self(
            .longDelay, "blames provider (linkSilent)", seed: 9605,
            "Names are not resolved, and public addresses answer later than they were awaited: not known."),
        Self(
            .secureReset, "blames provider (provider)", seed: 22200,
            "Names are not resolved, or plain HTTP is blocked too: nothing else was asked. Not known."),
        Self(
            .portalSparing, "is online", seed: 32010,
            "Its pages have scripts added, and are no login then; HTTPS of three of six operators passes, a tie: a portal, or not known."
        ),
        Self(
            .portalSparing, "remarks secureConnections", seed: 32010,
            "The same: HTTPS that does not pass is the only sign of the portal."),
        Self(
            .tunnelDead, "blames provider (provider)", seed: 142645,
            "Name servers beside the tunnel answer later than they were awaited: tunnel, or not known."),
        Self(
            .severeLoss, "blames filter (timedOut)", seed: 113911,
            "Name servers answer, and all connections are lost, too many for a measurement: not known."),
        Self(
            .severeLoss, "blames provider (provider)", seed: 132016,
            "The router answers, and all else is lost: not known."),
        Self(
            .longDelay, "blames filter (acceptedInSilence)", seed: 189110,
            "Packets are lost, too, and name servers answer later than they were awaited: not known."),
        Self(
            .firstNameServerDead, "concludes something else by arrival", seed: 70486,
            "Whether name servers are asked depends on the time by which a check ends: a remark, or none."),
        Self(
            .secureIntercepted, "is online", seed: 44186,
            "Packets are lost, too, so that one operator shows a foreign certificate, and one a right one: not known."),
        Self(
            .severeLoss, "remarks nameServer", seed: 46536,
            "Most packets are lost, also those of the second name server: no remark."),
        Self(
            .versionRejected, "blames filter (partial)", seed: 685759,
            "Packets are lost, too, and no HTTPS passes over the other IP version: not known."),
        Self(
            .severeLoss, "blames provider (linkSilent)", seed: 732675,
            "Nothing is answered, and the link has no router: not known."),
        Self(
            .versionRejected, "blames filter (timedOut)", seed: 784183,
            "Packets are lost, too, and no HTTPS passes over the other IP version: not known."),
        Self(
            .severeLoss, "blames nameServers (dnsSilent)", seed: 687634,
            "No name is resolved, and the measured loss is smaller than the true one: not known."),
        Self(
            .loss, "blames endpoints (timedOut)", seed: 688463,
            "Something accepts some connections in silence, and others are lost: filter, or not known."),
        Self(
            .namesSlow, "blames filter (partial)", seed: 299710,
            "Packets are lost, too, so that the names for HTTPS are resolved too late: name servers, or not known."),
        Self(
            .namesSlow, "concludes something else by arrival", seed: 350206,
            "Answers come at the time at which they are no longer awaited: online, or name servers."),
    ]
}

/// The shares of the networks with one fault in which it is named, by its kind: they may only grow.
enum NamedShares {
    static let least: [NetworkFault.Kind: Double] = [
        .machineDrops: 1,
        .machineRejects: 1,
        .machineBlocksHTTPS: 1,
        .wrongClock: 1,
        .routerGone: 1,
        .uplinkDead: 0.95,
        .uplinkReports: 1,
        .uplinkProhibits: 1,
        .loss: 0.14,
        .severeLoss: 0.95,
        .longDelay: 1,
        .versionDead: 0.99,
        .versionRejected: 0.99,
        .namesSilent: 1,
        .namesRefused: 1,
        .namesFail: 1,
        .namesMissing: 1,
        .namesForged: 1,
        .firstNameServerDead: 0.7,
        .namesBlocked: 1,
        .namesSlow: 1,
        .secureIntercepted: 1,
        .secureReset: 1,
        .secureDropped: 0.6,
        .pagesRewritten: 1,
        .boxCloses: 1,
        .boxMute: 1,
        .boxAnswers: 1,
        .largeLost: 1,
        .largeLostOfVersion: 1,
        .portal: 1,
        .portalSparing: 1,
        .portalOfVersion: 1,
        .portalByNames: 1,
        .operatorRedirected: 1,
        .proxySilent: 1,
        .proxyRefuses: 1,
        .proxyLogin: 1,
        .proxyError: 1,
        .proxyTunnel: 1,
        .proxyName: 1,
        .tunnelDead: 0.95,
        .carrierRouterGone: 1,
        .carrierUplinkDead: 0.9,
        .translationDead: 1,
        .transparentDead: 1,
        .transparentAlone: 1,
    ]
}
#endif
