// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The JSON that `dialtone` prints: a contract to which fields are added, and never removed.
///
/// Every field is always present, null if it has no value, except `changes`, which only a stream has, and `facts`, which only
/// `dialtone check` has. `explanation` is the sentence for people; the codes are `fault` and `cause`, and `reason` in `path` and in
/// `internet`. `remarks` is what works badly while online.
package struct StatusReport: Encodable, Sendable {
    private let connectivity: Connectivity
    private let time: Date
    private let isStream: Bool
    private let showsFacts: Bool

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - connectivity: the value that the monitor delivered.
    ///   - time: the time of the report.
    ///   - isStream: whether the report belongs to a stream and lists the changes.
    ///   - showsFacts: whether the report has the facts from which the conclusion is drawn.
    package init(_ connectivity: Connectivity, at time: Date, isStream: Bool = false, showsFacts: Bool = false) {
        self.connectivity = connectivity
        self.time = time
        self.isStream = isStream
        self.showsFacts = showsFacts
    }

    package func encode(to encoder: any Encoder) throws {
        let path = connectivity.path
        let report = connectivity.evidence
        try encoder.encode([
            "time": time.iso8601, "connectivity": connectivity.state.rawValue, "since": connectivity.since.iso8601,
            "beginning": connectivity.beginning?.encoded, "explanation": connectivity.reason,
            "fault": connectivity.fault?.rawValue, "cause": connectivity.cause?.rawValue,
            "remarks": connectivity.remarks, "path": path.encoded, "internet": report,
        ])
        if showsFacts { try encoder.encode(["facts": Facts(path, report)]) }
        if isStream { try encoder.encode(["changes": connectivity.changes.map(\.rawValue)]) }
    }
}

extension Connectivity.Beginning {
    fileprivate var encoded: EncodedObject { EncodedObject(["earliest": earliest?.iso8601, "latest": latest.iso8601]) }
}

extension NetworkPath {
    /// The `path` object of reports.
    var encoded: EncodedObject {
        EncodedObject([
            "status": status.reportName, "reason": diagnosis?.reason.rawValue,
            "unsatisfiedReason": status == .satisfied ? nil : unsatisfiedReason.reportName,
            "interfaces": interfaces.map(\.encoded), "supportsIPv4": supportsIPv4, "supportsIPv6": supportsIPv6,
            "supportsDNS": supportsDNS, "isExpensive": isExpensive, "isConstrained": isConstrained,
            "isUltraConstrained": isUltraConstrained, "linkQuality": linkQuality.rawValue,
            "gateways": gateways.map(\.description), "limitation": limitation?.explanation,
        ])
    }
}

extension NetworkPath.Interface {
    /// The `interface` object of reports.
    var encoded: EncodedObject {
        EncodedObject(["name": name, "index": index, "type": type.reportName, "networkName": networkName])
    }
}

extension NetworkPath.Limitation {
    /// The reason in words.
    package var explanation: String {
        switch self {
        case .polling(let text), .unavailable(let text): text
        }
    }
}

extension PathStatus {
    /// Its spelling in reports.
    package var reportName: String {
        switch self {
        case .satisfied: "satisfied"
        case .requiresConnection: "requiresConnection"
        default: "unsatisfied"
        }
    }
}

extension UnsatisfiedReason {
    /// Its spelling in reports.
    package var reportName: String {
        switch self {
        case .cellularDenied: "cellularDenied"
        case .wifiDenied: "wifiDenied"
        case .localNetworkDenied: "localNetworkDenied"
        case .vpnInactive: "vpnInactive"
        default: "notAvailable"
        }
    }
}

extension InterfaceType {
    /// Its spelling in reports.
    package var reportName: String {
        switch self {
        case .wifi: "wifi"
        case .cellular: "cellular"
        case .wiredEthernet: "wiredEthernet"
        case .loopback: "loopback"
        default: "other"
        }
    }
}
