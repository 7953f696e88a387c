// SPDX-License-Identifier: Apache-2.0

package import Dialtone

/// The words of the report in one language.
///
/// Each language is one file, with all sentences: none of them has an address, because they come from recorded codes.
package struct ReportWording: Sendable {
    package enum Language: String, CaseIterable, Sendable {
        case english = "en"
        case german = "de"

        /// The language that an environment selects, as POSIX defines it; English if there is no catalogue for it.
        package init(environment: [String: String]) {
            let set = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
            self = Self(rawValue: set.prefix { $0.isLetter }.lowercased()) ?? .english
        }

        package var wording: ReportWording {
            switch self {
            case .english: .english
            case .german: .german
            }
        }
    }

    /// The words of the report that are no code of a record; `{0}` is the first value to insert.
    package enum Label: String, CaseIterable, Sendable {
        case title, machine, link, notKnown, period, fromTo, times, local, otherOffsets
        case available, ofKnownTime, notEnough, pathOnly, nothingRecorded, note, made, madeBy
        case agreed, allowance, kept, exceeded, undecided
        case method, advice
        case days, daysNote, latestDays, noOutage, loss, roundTrip
        case evenings, eveningsRow, otherHours, unreachable, routerLoss, beyondLoss
        case sides, side, outages, totalTime, margin, all, none, unknownSide
        case noneFound, noneLonger, short, shortNote, number, began, ended, duration
        case recorded, unknownPlace, inTurn, then, andSoOn, linkNote, answered, count
        case drops, dropsNote, packets
        case startedEarlier, mayHaveStarted, endedEarlier, notVerified, unwatched, moved, continues, thisPeriod
        case unknownTime, alwaysWatched, unknownNote, machineWas, share
        case unseen, unseenNote, unseenNever, from, until, rest
        case rawData, command, csv, dashboard, under
    }

    package let language: Language
    /// The name of the language in itself.
    package let name: String
    /// The character between the whole and its fraction.
    let decimalSeparator: String
    package let labels: [Label: String]
    package let states: [HistoryState: String]
    package let sides: [ConnectivityFault: String]
    /// The observations during an outage, by the place of the fault.
    package let observations: [ConnectivityFault: String]
    /// The same without a path, where it differs.
    let observationsWithoutPath: [ConnectivityFault: String]
    let interfaceTypes: [InterfaceType: String]
    /// Returns the sentence of the recorded cause; nil for an unknown one.
    package let cause: @Sendable (any StateRecordProtocol) -> String?

    /// A label with its values.
    package func text(_ label: Label, _ values: String...) -> String {
        // A value is inserted as it is, also if it has braces.
        let parts = (labels[label] ?? label.rawValue).split(separator: "{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts.first ?? "")) { text, part in
            guard let index = part.first?.wholeNumberValue, values.indices.contains(index),
                part.dropFirst().first == "}"
            else { return text + "{" + part }
            return text + values[index] + part.dropFirst(2)
        }
    }

    /// The side of a fault, which blames no company.
    package func side(_ fault: ConnectivityFault?) -> String { fault.flatMap { sides[$0] } ?? text(.unknownSide) }

    /// The name of a state, to stand inside a sentence.
    package func state(_ state: HistoryState) -> String { states[state] ?? state.rawValue }

    package func interface(_ name: String, _ record: some StateRecordProtocol) -> String {
        "\(name) (\(interfaceTypes[HistoryWording.interfaceType(record)] ?? ""))"
    }

    /// A duration in its two largest units.
    package func duration(_ seconds: Double) -> String { local(Figures.duration(seconds)) }

    /// A duration to the second.
    package func exactDuration(_ seconds: Double) -> String { local(Figures.exactDuration(seconds)) }

    /// A margin, rounded up to whole seconds.
    package func margin(_ seconds: Double) -> String { HistoryWording.margin(seconds) }

    package func percentage(_ fraction: Double) -> String { local(Figures.percentage(fraction)) }

    /// A round trip.
    package func latency(_ seconds: Double) -> String { local(Figures.latency(seconds)) }

    private func local(_ figure: String) -> String {
        figure.replacing(".", with: decimalSeparator).replacing("under", with: text(.under))
    }

    /// The availability with its margin, or what is known in its place.
    package func available(_ summary: Timeline.Summary) -> String {
        if let availability = HistoryWording.availability(summary) {
            let known = summary.seconds(.up) + summary.seconds(.down)
            return text(.ofKnownTime, local(availability), duration(known))
        }
        if summary.watchedSeconds > 0, !summary.isWatchedEnough { return text(.notEnough) }
        return summary.pathAvailability.map { text(.pathOnly, percentage($0)) } ?? text(.nothingRecorded)
    }

    /// The sides of an outage in turn, such as `this machine or its link 5 s, then the router 40 s`; nil if there is one.
    package func phases(_ outage: Outage) -> String? {
        var sides: [(fault: ConnectivityFault?, seconds: Double)] = []
        for phase in outage.phases {
            if let last = sides.last, last.fault == phase.fault {
                sides[sides.count - 1].seconds += phase.length
            } else {
                sides.append((phase.fault, phase.length))
            }
        }
        guard sides.count > 1 else { return nil }
        let shown = sides.prefix(8).map { "\(side($0.fault)) \(exactDuration($0.seconds))" }
        return shown.joined(separator: text(.then)) + (sides.count > 8 ? text(.andSoOn) : "")
    }

    /// What was observed during an outage: no recorded sentence is quoted, because it may name an address.
    package func evidence(_ outage: Outage) -> String {
        let hasNoPath = [.offline, .requiresConnection].contains(outage.state)
        let observed = outage.fault.flatMap { (hasNoPath ? observationsWithoutPath[$0] : nil) ?? observations[$0] }
        let words = observed ?? text(.unknownPlace, state(outage.state))
        guard let code = outage.cause, !Self.withoutEvidence.contains(ConnectivityCause(rawValue: code.rawValue)),
            let recorded = cause(outage)
        else { return words }
        return "\(words) \(text(.recorded, recorded))"
    }

    /// The causes that say no more than the fault.
    private static let withoutEvidence: Set<ConnectivityCause> = [
        .captivePortal, .router, .provider, .proxy, .tunnelSilent,
    ]

    /// The notes about the times and the end of an outage; none about an end by recovery.
    ///
    /// - Parameter window: the window as the reader knows it, after which an outage may continue; nil for one that ends now.
    package func notes(_ outage: Outage, in window: String?) -> [String] {
        let ending: String? =
            switch outage.ending {
            case .recovered: nil
            case .undecided: text(.notVerified)
            case .unwatched: text(.unwatched)
            case .moved: outage.nextInterface.map { text(.moved, $0) }
            case .windowEnd: window.map { text(.continues, $0) }
            }
        return margins(outage.startMargin, outage.endMargin) + [ending].compactMap(\.self)
    }

    /// The notes about the times between which an outage or a drop began and ended, such as `started at most 5 s earlier`.
    ///
    /// - Parameters:
    ///   - start: the number of seconds by which it may have begun earlier; nil if that is not known.
    ///   - end: the number of seconds by which it may have ended earlier; nil if that is not known.
    package func margins(_ start: Double?, _ end: Double?) -> [String] {
        let started = start.map { $0 > 0 ? text(.startedEarlier, margin($0)) : nil } ?? text(.mayHaveStarted)
        return [started, end.flatMap { $0 > 0 ? text(.endedEarlier, margin($0)) : nil }].compactMap(\.self)
    }

    /// The packets that each hop answered, such as `the router 2 of 2, beyond the router 0 of 7`.
    package func packets(_ counts: [HopCount], isTunneled: Bool = false) -> String {
        counts.map { count in
            let name =
                switch count.hop {
                case .router: side(.router)
                case .nameServers: side(.nameServers)
                case .beyond: side(isTunneled ? .tunnel : .provider)
                }
            return text(.count, name, "\(count.answered)", "\(count.sent)")
        }.joined(separator: ", ")
    }
}
