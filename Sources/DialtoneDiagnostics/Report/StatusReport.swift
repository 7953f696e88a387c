// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

/// The JSON that `dialtone` prints: a contract to which fields are added, and never removed.
///
/// Every field is always present, null if it has no value, except `changes`, which only a stream has.
public struct StatusReport: Encodable, Sendable {
    /// The time of the report.
    public var time: Date
    /// The connectivity.
    public var connectivity: ConnectivityState
    /// When the connectivity last changed; in the first report of a process, the time of the report.
    public var since: Date
    /// The path.
    public var path: NetworkPath
    /// The report of the check; nil without a check.
    public var internet: InternetCheck.Report?
    /// The fields that differ from the previous report; nil outside a stream.
    public var changes: [String]?

    /// Creates a report.
    public init(
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
    public init(_ connectivity: Connectivity, at time: Date, isStream: Bool = false) {
        self.init(
            time: time, connectivity: connectivity.state, since: connectivity.since, path: connectivity.path,
            internet: connectivity.evidence, changes: isStream ? connectivity.changes.map(\.rawValue) : nil)
    }

    private enum Key: String, CodingKey {
        case time, connectivity, since, path, internet, changes
    }

    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(Self.text(time), forKey: .time)
        try object.encode(connectivity.rawValue, forKey: .connectivity)
        try object.encode(Self.text(since), forKey: .since)
        try object.encode(PathReport(path: path), forKey: .path)
        try object.encode(internet, forKey: .internet)
        try object.encodeIfPresent(changes, forKey: .changes)
    }

    /// The object on one line, with sorted keys.
    public func json() throws -> String { try OneLineJSON.text(self) }

    /// ISO 8601 in UTC, to the millisecond.
    private static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// The `path` object of the report.
struct PathReport: Encodable {
    let path: NetworkPath

    private enum Key: String, CodingKey {
        case status, reason, unsatisfiedReason, interfaces, supportsIPv4, supportsIPv6, supportsDNS, isExpensive
        case isConstrained, isUltraConstrained, linkQuality, gateways, limitation
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(path.status.reportName, forKey: .status)
        try object.encode(path.diagnosis?.reason.rawValue, forKey: .reason)
        try object.encode(
            path.status == .satisfied ? nil : path.unsatisfiedReason.reportName, forKey: .unsatisfiedReason)
        try object.encode(path.interfaces.map(InterfaceReport.init), forKey: .interfaces)
        try object.encode(path.supportsIPv4, forKey: .supportsIPv4)
        try object.encode(path.supportsIPv6, forKey: .supportsIPv6)
        try object.encode(path.supportsDNS, forKey: .supportsDNS)
        try object.encode(path.isExpensive, forKey: .isExpensive)
        try object.encode(path.isConstrained, forKey: .isConstrained)
        try object.encode(path.isUltraConstrained, forKey: .isUltraConstrained)
        try object.encode(path.linkQuality.rawValue, forKey: .linkQuality)
        try object.encode(path.gateways.map(\.description), forKey: .gateways)
        try object.encode(path.limitation?.explanation, forKey: .limitation)
    }
}

struct InterfaceReport: Encodable {
    let name: String
    let index: Int
    let type: String
    let networkName: String?

    init(_ interface: NetworkPath.Interface) {
        name = interface.name
        index = interface.index
        type = interface.type.reportName
        networkName = interface.networkName
    }

    private enum Key: String, CodingKey { case name, index, type, networkName }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(name, forKey: .name)
        try object.encode(index, forKey: .index)
        try object.encode(type, forKey: .type)
        try object.encode(networkName, forKey: .networkName)
    }
}

extension NetworkPath.Limitation {
    /// The reason in words.
    public var explanation: String {
        switch self {
        case .polling(let text), .unavailable(let text): text
        }
    }
}

extension NWPath.Status {
    /// Its spelling in reports.
    public var reportName: String {
        switch self {
        case .satisfied: "satisfied"
        case .requiresConnection: "requiresConnection"
        default: "unsatisfied"
        }
    }
}

extension NWPath.UnsatisfiedReason {
    /// Its spelling in reports.
    public var reportName: String {
        switch self {
        case .cellularDenied: "cellularDenied"
        case .wifiDenied: "wifiDenied"
        case .localNetworkDenied: "localNetworkDenied"
        case .vpnInactive: "vpnInactive"
        default: "notAvailable"
        }
    }
}

extension NWInterface.InterfaceType {
    /// Its spelling in reports.
    public var reportName: String {
        switch self {
        case .wifi: "wifi"
        case .cellular: "cellular"
        case .wiredEthernet: "wiredEthernet"
        case .loopback: "loopback"
        default: "other"
        }
    }
}
