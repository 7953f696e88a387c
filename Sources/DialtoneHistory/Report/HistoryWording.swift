// SPDX-License-Identifier: Apache-2.0

import Dialtone

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

    /// The state and its cause.
    package static func words(_ span: Timeline.Span) -> String {
        words(span.state, span.cause, span.interfaceName, span.interfaceType)
    }

    /// The worst state of an outage and its cause.
    package static func words(_ outage: Outage) -> String {
        words(outage.state, outage.cause, outage.interfaceName, outage.interfaceType)
    }

    private static func words(
        _ state: HistoryState, _ cause: HistoryCause?, _ interfaceName: String?, _ interfaceType: String?
    ) -> String {
        self.state(state) + (cause.map { ": " + self.cause($0, interfaceName, interfaceType) } ?? "")
    }

    /// The cause of a transition; nil if it is not known.
    package static func cause(_ transition: HistoryTransition) -> String? {
        transition.cause.map { cause($0, transition.interfaceName, transition.interfaceType) }
    }

    /// The cause of an outage; nil if it is not known.
    package static func cause(_ outage: Outage) -> String? {
        outage.cause.map { cause($0, outage.interfaceName, outage.interfaceType) }
    }

    /// The cause of a state: for a state of the network, the sentence of `Connectivity.reason`, but without the servers
    /// concerned, which are not recorded; an unknown code as it is.
    private static func cause(_ cause: HistoryCause, _ interfaceName: String?, _ interfaceType: String?) -> String {
        if let reason = PathDiagnosis.Reason(rawValue: cause.rawValue) {
            let interface = interfaceName.map { name in
                let type = interfaceTypes.first { $0.reportName == interfaceType } ?? .other
                return NetworkPath.Interface(name: name, index: 0, type: type)
            }
            return PathDiagnosis(reason, interface: interface).description
        }
        if let reason = InternetCheck.NoInternetReason(rawValue: cause.rawValue) { return reason.description }
        switch HistoryCause.Code(rawValue: cause.rawValue) {
        case .partial: return GeneralReason.noHTTPS
        case .notVisible: return GeneralReason.unreadable
        case .passive: return GeneralReason.unchecked
        case .stopped: return "server stopped"
        case .crashed: return "server crashed or was killed"
        case .started: return "just started"
        case .clockSet: return "clock set"
        case .suspended: return "suspended"
        case .off: return "off or restarting"
        case .discarded: return "records dropped"
        case .noRecord: return "no record"
        case nil: return cause.rawValue
        }
    }

    private static let interfaceTypes: [NWInterface.InterfaceType] = [.wifi, .cellular, .wiredEthernet, .loopback]

    /// The note about an outage that was in progress when the window, or watching, began.
    package static let mayHaveBegunEarlier = "may have started earlier"

    /// The way in which an outage ended, in lower case to stand inside a sentence.
    package static func ending(_ ending: Outage.Ending) -> String {
        switch ending {
        case .recovered: "recovered"
        case .undecided: "recovered, not verified"
        case .unwatched: "no longer watched"
        case .windowEnd: "ongoing"
        }
    }
}
