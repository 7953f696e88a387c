// SPDX-License-Identifier: Apache-2.0

import DialtoneHistory
import Testing

@testable import Dialtone

struct OutageEvidenceTests {
    private static func outage(
        _ fault: ConnectivityFault?, _ state: HistoryState = .noInternet, _ cause: String? = nil,
        from start: Double = 0,
        to end: Double = 60, margins: (Double?, Double?) = (0, 0)
    ) -> Outage {
        Outage(
            start: Sample.time(start), earliestStart: margins.0.map { Sample.time(start - $0) }, end: Sample.time(end),
            earliestEnd: margins.1.map { Sample.time(end - $0) }, milliseconds: Int64((end - start) * 1000),
            record: StateRecord(
                state, cause: cause.map(HistoryCause.init(rawValue:)), interfaceName: "eth0",
                interfaceType: "wiredEthernet", fault: fault))
    }

    @Test func `the totals are by side, from near to far, with their margins`() {
        let totals = SideTotal.totals([
            Self.outage(.provider, to: 100, margins: (5, 3)), Self.outage(nil, to: 7, margins: (nil, nil)),
            Self.outage(.nameServers, to: 20.5), Self.outage(.provider, to: 50, margins: (nil, 4)),
        ])
        #expect(totals.map(\.fault) == [.machine, .router, .nameServers, .provider, nil])
        #expect(totals.map(\.outages) == [0, 0, 1, 2, 1])
        #expect(totals.map(\.seconds) == [0, 0, 20.5, 150, 7])
        #expect(totals.map(\.margin) == [0, 0, 0, 9, 0])
        #expect(SideTotal.totals([]).map(\.fault) == [.machine, .router, .provider])
    }

    @Test func `every fault has words for its side and its evidence, and none of them blames the provider`() {
        for fault in ConnectivityFault.allCases + [nil] {
            for state in HistoryState.allCases where state.availability == .down {
                let evidence = ReportWording.Language.english.wording.evidence(Self.outage(fault, state))
                #expect(evidence.hasSuffix(".") && !evidence.lowercased().contains("provider"))
            }
            #expect(!HistoryWording.side(fault).contains("provider"))
        }
        let sides = Set((ConnectivityFault.allCases + [nil]).map(HistoryWording.side))
        #expect(sides.count == ConnectivityFault.allCases.count + 1)
    }

    @Test(
        arguments: [
            (
                .machine, .offline, "noCarrier",
                "This machine had no path. Recorded reason: No carrier on eth0: is the cable in?"
            ),
            (
                .nameServers, .limited, "dnsSilent",
                "resolved to wrong addresses. Recorded reason: DNS servers do not answer."
            ),
            (.filter, .limited, "partial", "intercepted connections. Recorded reason: HTTPS does not pass."),
            (
                .proxy, .limited, "proxyRefused",
                "or did not lead to the Internet. Recorded reason: The proxy refuses connections."
            ),
            // A place is not repeated, and an unknown code is not quoted.
            (.router, .noInternet, "router", "The router did not answer."),
            (
                .tunnel, .noInternet, "tunnelSilent",
                "Nothing came back through a VPN or another tunnel of this machine."
            ),
            (
                .tunnel, .limited, "tunnelNames",
                "of this machine. Recorded reason: DNS servers are reached through a tunnel, and nothing comes back through it."
            ),
            (.provider, .noInternet, "provider", "No packet came back from beyond this machine's own network."),
            (.endpoints, .limited, "10.0.0.1 said no", "The servers that were asked did not answer as expected."),
            (
                nil, .noInternet, "timedOut",
                "the place of the fault is not known. Recorded reason: Connections are not answered."
            ),
        ] as [(ConnectivityFault?, HistoryState, String, String)])
    func `the evidence is built from the recorded codes`(
        fault: ConnectivityFault?, state: HistoryState, cause: String, words: String
    ) {
        var outage = Self.outage(fault, state, cause)
        outage.record.reason = "The router (192.168.1.1) does not answer."
        #expect(ReportWording.Language.english.wording.evidence(outage).hasSuffix(words))
    }

    /// The codes that histories of 1.0.0-rc.1 have.
    private static let oldCodes =
        "noInterface allDown radioOff noCarrier dormant noAddress addressTentative noRoute routeUnreachable hijackedNames tls "
        + "unexpectedAnswers refused hostNotFound nameResolution dnsRefused unreachable timedOut dnsSilent router provider "
        + "partial passive notVisible stopped crashed paused started clockSet off discarded noRecord"

    @Test(arguments: oldCodes.split(separator: " ").map(String.init))
    func `a code of an older version has words`(code: String) {
        let words = HistoryWording.cause(Self.outage(nil, .limited, code))
        #expect(words != nil && words != code)
    }
}
