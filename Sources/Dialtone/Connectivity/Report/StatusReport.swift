// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The JSON that `dialtone` prints: a contract to which fields are added, and never removed.
///
/// Every field is always present, null if it has no value, except `changes`, which only a stream has, and `facts`, which only
/// `dialtone check` has. `explanation` is the sentence for people; the codes are `fault` and `cause`, and `reason` in `path` and in
/// `internet`. `remarks` is what works badly while online.
package struct StatusReport: Encodable, Sendable {
    /// The time of the report.
    package var time: Date
    /// The connectivity.
    package var connectivity: ConnectivityState
    /// When the connectivity last changed; in the first report of a process, the time of the report.
    package var since: Date
    /// When the connectivity began, as precisely as that was observed; nil before the first change.
    package var beginning: Connectivity.Beginning?
    /// The path.
    package var path: NetworkPath
    /// The report of the check; nil without a check.
    @Boxed package var internet: InternetCheck.Report?
    /// The fields that differ from the previous report; nil outside a stream.
    package var changes: [String]?
    /// Whether the report has the facts from which the conclusion is drawn.
    package var showsFacts = false
    /// The conclusion of the monitor's value; nil if it follows from the other fields.
    private var drawn: Conclusion?

    /// Creates a report.
    package init(
        time: Date, connectivity: ConnectivityState, since: Date, path: NetworkPath,
        internet: InternetCheck.Report? = nil, changes: [String]? = nil
    ) {
        self.time = time
        self.connectivity = connectivity
        self.since = since
        self.path = path
        self.internet = internet
        self.changes = changes
    }

    /// Creates a report from a monitor's value.
    ///
    /// - Parameters:
    ///   - connectivity: the value that the monitor delivered.
    ///   - time: the time of the report.
    ///   - isStream: whether the report belongs to a stream and lists the changes.
    package init(_ connectivity: Connectivity, at time: Date, isStream: Bool = false) {
        self.init(
            time: time, connectivity: connectivity.state, since: connectivity.since, path: connectivity.path,
            internet: connectivity.evidence, changes: isStream ? connectivity.changes.map(\.rawValue) : nil)
        (beginning, drawn) = (connectivity.beginning, connectivity.conclusion)
    }

    /// Why this machine is not online, and what to do, in one or two sentences for a user; nil while it is online.
    package var explanation: String? { conclusion.reason }

    private var conclusion: Conclusion { drawn ?? Conclusion(asserting: connectivity, Facts(path, internet)) }

    /// Writes the object.
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "time": time.iso8601, "connectivity": connectivity.rawValue, "since": since.iso8601,
            "beginning": beginning.map(BeginningReport.init), "explanation": explanation,
            "fault": conclusion.fault?.rawValue, "cause": conclusion.cause?.rawValue, "remarks": conclusion.remarks,
            "path": PathReport(path: path), "internet": internet,
        ])
        if showsFacts { try encoder.encode(["facts": Facts(path, internet)]) }
        if let changes { try encoder.encode(["changes": changes]) }
    }

    /// The object on one line, with sorted keys.
    package func json() throws -> String { try OneLineJSON.text(self) }
}

/// The `beginning` object of the report.
private struct BeginningReport: Encodable {
    let beginning: Connectivity.Beginning

    func encode(to encoder: any Encoder) throws {
        try encoder.encode(["earliest": beginning.earliest?.iso8601, "latest": beginning.latest.iso8601])
    }
}

/// The `path` object of the report.
struct PathReport: Encodable {
    let path: NetworkPath

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "status": path.status.reportName, "reason": path.diagnosis?.reason.rawValue,
            "unsatisfiedReason": path.status == .satisfied ? nil : path.unsatisfiedReason.reportName,
            "interfaces": path.interfaces.map(InterfaceReport.init), "supportsIPv4": path.supportsIPv4,
            "supportsIPv6": path.supportsIPv6, "supportsDNS": path.supportsDNS, "isExpensive": path.isExpensive,
            "isConstrained": path.isConstrained, "isUltraConstrained": path.isUltraConstrained,
            "linkQuality": path.linkQuality.rawValue, "gateways": path.gateways.map(\.description),
            "limitation": path.limitation?.explanation,
        ])
    }
}

struct InterfaceReport: Encodable {
    let interface: NetworkPath.Interface

    func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "name": interface.name, "index": interface.index, "type": interface.type.reportName,
            "networkName": interface.networkName,
        ])
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
