// SPDX-License-Identifier: Apache-2.0

package import Dialtone

/// The texts that `dialtone history` and the dashboard share: states, causes and the ends of outages.
package enum HistoryWording {
    /// The name of a state, in lower case to stand inside a sentence: for a state of the network, the name that every
    /// tool uses.
    package static func state(_ state: HistoryState) -> String {
        switch state {
        case .notWatching: "not watched"
        case .asleep: "asleep or off"
        default: ConnectivityState(rawValue: state.rawValue)?.name ?? state.rawValue
        }
    }

    package static func words(_ record: some StateRecordProtocol) -> String {
        state(record.state) + (cause(record).map { ": \($0)" } ?? "")
    }

    /// The reason, as it was recorded; nil if it is not known.
    package static func cause(_ record: some StateRecordProtocol) -> String? {
        record.reason ?? generalCause(record) ?? record.cause?.rawValue
    }

    /// The words of the recorded cause without the servers concerned, and so without any address; nil for an unknown code.
    static func generalCause(_ record: some StateRecordProtocol) -> String? {
        guard let cause = record.cause else { return nil }
        switch cause {
        case .passive: return GeneralReason.sentence(for: .notChecked)
        case .stopped: return "server stopped"
        case .crashed: return "server crashed or was killed"
        case .paused: return "server paused"
        case .started: return "just started"
        case .clockSet: return "clock set"
        case .suspended: return "suspended"
        case .off: return "off or restarting"
        case .discarded: return "records dropped"
        case .noRecord: return "no record"
        case .routerRestarted: return "The router restarted."
        default: break
        }
        let interface = record.interfaceName.map { name in
            NetworkPath.Interface(name: name, index: 0, type: interfaceType(record))
        }
        return GeneralReason.sentence(for: ConnectivityCause(rawValue: cause.rawValue), over: interface)
    }

    /// The type of the interface that was recorded.
    package static func interfaceType(_ record: some StateRecordProtocol) -> InterfaceType {
        let types: [InterfaceType] = [.wifi, .cellular, .wiredEthernet, .loopback]
        return types.first { $0.reportName == record.interfaceType } ?? .other
    }

    /// The places of the faults and the time without the Internet for each, the longest first; nil if no place is known.
    package static func faults(_ summary: Timeline.Summary) -> String? {
        let known = summary.outageSecondsByFault.longestFirst
        guard !known.isEmpty else { return nil }
        let parts = known.map { "\($0.key.rawValue) \(Figures.duration($0.value))" }
        let rest = summary.outageSeconds - known.reduce(0) { $0 + $1.value }
        return (parts + (rest >= 0.001 ? ["unknown \(Figures.duration(rest))"] : [])).joined(separator: ", ")
    }

    /// The drops, summed up apart from outages, as a sentence; nil without any.
    package static func drops(_ summary: Timeline.Summary) -> String? {
        guard summary.drops > 0 else { return nil }
        let count = summary.drops == 1 ? "1 drop" : "\(summary.drops) drops"
        return "\(count), \(Figures.duration(summary.dropSeconds)) in total: silence too short for a check to conclude."
    }

    /// Which outages are always noticed, as a sentence, with the reason if that is more than by default.
    package static func coverage(_ coverage: HeartbeatCoverage) -> String {
        (["Outages of \(Figures.duration(coverage.shortest)) or more are always noticed."]
            + [coverage.reason].compactMap(\.self)).joined(separator: " ")
    }

    /// A margin, rounded up to whole seconds.
    package static func margin(_ seconds: Double) -> String { Figures.duration(seconds.rounded(.up)) }

    /// The availability with its margin, such as `99.75 % ± 0.01 %`; nil if it is not known, or too little was watched.
    package static func availability(_ summary: Timeline.Summary) -> String? {
        guard summary.isWatchedEnough, let availability = summary.availability else { return nil }
        let margin = summary.availabilityMargin ?? 0
        return Figures.percentage(availability) + (margin > 0 ? " ± \(Figures.percentage(margin))" : "")
    }

    /// The availability with its margin, or what is known in its place, as a sentence.
    package static func available(_ summary: Timeline.Summary) -> String {
        availability(summary).map { "Available \($0) of the known time." }
            ?? ReportWording.english.available(summary) + "."
    }
}
