// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension ReportWording {
    /// English: states, sides and causes are those of the page and the command.
    package static let english = ReportWording(
        language: .english, name: "English", decimalSeparator: ".",
        labels: [
            .title: "Internet outages of {0}", .machine: "Machine", .link: "Link", .notKnown: "not known",
            .period: "Period", .fromTo: "{0} to {1}, {2}", .times: "Times", .local: "local, UTC{0}",
            .otherOffsets: "{0} unless another offset is given",
            .available: "Available", .ofKnownTime: "{0} of the known time ({1})",
            .notEnough: "The availability is not known yet: less than 5 min were watched",
            .pathOnly: "There was a path {0} of the known time; the Internet was not checked",
            .nothingRecorded: "Nothing was recorded in this time",
            .agreed: "Agreed",
            .allowance:
                "{0}, which allows {1} without the Internet in this period. Without it: {2}; of that beyond the router: {3}",
            .kept: "{0}, as allowed", .exceeded: "{0}, more than allowed",
            .undecided: "{0}, too close to say whether it is allowed",
            .note: "Note", .made: "Made", .madeBy: "{0} by dialtone",
            .method: """
            The program dialtone on this machine recorded what the operating system reports about the link, and the answers of \
            the router, of name servers and of the servers of several operators to small requests, as far as these are enabled. \
            An outage begins when its first sign is seen, and ends when the first sign of the Internet is seen again. Either may have \
            happened earlier, never later: at most as early as the last sign of the opposite. The time between is the margin.
            """,
            .advice: """
            What to do: if most of the time was lost beyond the router, hand this sheet to the provider, or to whoever runs the \
            connection of the house; if it was lost at the router, to whoever owns the router. If it was lost at this machine or its \
            link, check the cable or the Wi-Fi, and whether the router had power: from here, a router without power looks like a \
            pulled cable. Nor can this sheet tell a fault of the provider from a broken cable or modem, or a wrong login, between \
            the router and the provider.
            """,
            .days: "Day by day",
            .daysNote: """
            Black: without the Internet, short outages wider than they were. A thin line: available. Hatched: not known. The grey band is the evening, 18 to 23 h. \
            Lost packets and the median round trip are those of the servers beyond the router.
            """,
            .latestDays: "The latest {0} days of the period.", .noOutage: "no outage",
            .loss: "Lost", .roundTrip: "Round trip",
            .evenings: "Evenings and other hours", .eveningsRow: "18 to 23 h", .otherHours: "Other hours",
            .unreachable: "Without Internet", .routerLoss: "Lost at the router", .beyondLoss: "Lost beyond it",
            .sides: "Outages by side", .side: "Side", .outages: "Outages", .totalTime: "Total time", .margin: "Margin",
            .all: "All", .none: "none", .unknownSide: HistoryWording.side(nil),
            .noneFound: "None.", .noneLonger: "None that is longer than its margin.",
            .short: "Outages shorter than their margin",
            .shortNote: "Their durations are not reliable. The totals include them.",
            .number: "No.", .began: "Began", .ended: "Ended", .duration: "Duration",
            .recorded: "Recorded reason: {0}",
            .unknownPlace: "The state was “{0}”; the place of the fault is not known.",
            .inTurn: "In turn: {0}.", .then: ", then ", .andSoOn: ", and so on", .linkNote: "Link: {0}.",
            .answered: "Packets answered during it: {0}.", .count: "{0} {1} of {2}",
            .drops: "Drops",
            .dropsNote: """
            In a drop only the router answers for a short time, and more answers from beyond it are missing than lost packets \
            explain. It ends before a check can conclude, so it counts neither as an outage nor as time without the Internet.
            """,
            .packets: "Packets answered",
            .startedEarlier: "started at most {0} earlier", .mayHaveStarted: "may have started earlier",
            .endedEarlier: "ended at most {0} earlier", .notVerified: "recovered, not verified",
            .unwatched: "no longer watched", .moved: "moved to {0}", .continues: "continues after {0}",
            .thisPeriod: "this period",
            .unknownTime: "Time that is not known",
            .alwaysWatched: "None: this machine was watched during the whole period.",
            .unknownNote: "This time counts neither as available nor as an outage.", .machineWas: "This machine was",
            .share: "Share of the period",
            .unseen: "Time without a heartbeat",
            .unseenNote: """
            The heartbeat sends a packet beyond the router every few seconds. In these times no packet was counted, although this \
            machine was watched: an outage shorter than the time between two checks may be missing.
            """,
            .unseenNever: """
            None: the heartbeat, a packet beyond the router every few seconds, ran whenever this machine was watched and had a path.
            """,
            .from: "From", .until: "To", .rest: "And {0} shorter ones, {1} in total.",
            .rawData: "Raw data",
            .command: "This command prints the same outages as comma-separated values on {0}:",
            .csv: "Outages as CSV", .dashboard: "Dashboard", .under: "under",
        ],
        states: Dictionary(uniqueKeysWithValues: HistoryState.allCases.map { ($0, HistoryWording.state($0)) }),
        sides: Dictionary(uniqueKeysWithValues: ConnectivityFault.allCases.map { ($0, HistoryWording.side($0)) }),
        observations: [
            .machine: "The fault was on this machine.",
            .tunnel: "Nothing came back through a VPN or another tunnel of this machine.",
            .router: "The router did not answer.",
            .nameServers: "Names were not resolved, or were resolved to wrong addresses.",
            .proxy: "The proxy did not answer, required a login, or did not lead to the Internet.",
            .portal: "The network required a login.",
            .filter: "Something between this machine and the Internet blocked or intercepted connections.",
            .provider: "No packet came back from beyond this machine's own network.",
            .endpoints: "The servers that were asked did not answer as expected.", .host: "A host did not answer.",
        ],
        observationsWithoutPath: [.machine: "This machine had no path."],
        interfaceTypes: Dictionary(
            uniqueKeysWithValues: [.wifi, .cellular, .wiredEthernet, .loopback, .other].map { ($0, $0.name) }),
        cause: { HistoryWording.generalCause($0) })
}
