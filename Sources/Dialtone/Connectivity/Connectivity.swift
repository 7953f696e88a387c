// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

/// Whether this machine is online, over which interface, since when, and with what evidence.
///
/// Two values are equal when all of these are equal. Not every difference is reported as a change: a check that
/// confirms the previous verdict is not. See `changes(since:)`.
public struct Connectivity: Hashable, Sendable {
    /// Whether this machine is online, as one value.
    public var state: ConnectivityState { didSet { conclude() } }
    /// The path that the state describes.
    public var path: NetworkPath { didSet { conclude() } }
    /// When `state` took its current value, by the wall clock.
    public var since: Date
    /// When the current state began, as precisely as that was observed; nil before the first change.
    ///
    /// `since` is when it was noticed.
    public var beginning: Beginning?
    /// The report of the latest check over this path; nil before the first check, and without a path.
    public var evidence: InternetCheck.Report? {
        get { report }
        set {
            report = newValue
            conclude()
        }
    }
    @Boxed private var report: InternetCheck.Report?
    /// The network that the path leads into, or led into before it was lost; nil if unknown.
    public var identity: NetworkIdentity?
    /// The meaning of the path and the evidence.
    private(set) var conclusion: Conclusion
    /// The differences from the previously delivered value; empty in the first value.
    public var changes: [Change]

    /// Creates a value, for tests, previews and simulations.
    public init(
        state: ConnectivityState, path: NetworkPath, since: Date, beginning: Beginning? = nil,
        evidence: InternetCheck.Report? = nil, identity: NetworkIdentity? = nil, changes: [Change] = []
    ) {
        self.state = state
        self.path = path
        self.since = since
        self.beginning = beginning
        report = evidence
        self.identity = identity
        self.changes = changes
        conclusion = Conclusion(asserting: state, Facts(path, evidence))
    }

    /// Creates a value with a conclusion that has been drawn from the path and the evidence.
    init(
        _ conclusion: Conclusion, path: NetworkPath, since: Date, beginning: Beginning?,
        evidence: InternetCheck.Report?, identity: NetworkIdentity?
    ) {
        state = conclusion.state
        self.conclusion = conclusion
        self.path = path
        self.since = since
        self.beginning = beginning
        report = evidence
        self.identity = identity
        changes = []
    }

    /// Creates the value of a path, and of a check over it.
    ///
    /// - Parameters:
    ///   - report: the report of the check; nil without one.
    ///   - isShown: whether the value has the report as its evidence.
    package init(
        _ path: NetworkPath, checkedBy report: InternetCheck.Report? = nil, at time: Date, showing isShown: Bool = true
    ) {
        self.init(
            Conclusion(path, report), path: path, since: time, beginning: nil, evidence: isShown ? report : nil,
            identity: nil)
    }

    /// Draws the conclusion again, because a program changed what it rests on.
    private mutating func conclude() { conclusion = Conclusion(asserting: state, Facts(path, evidence)) }
}

extension Connectivity {
    /// Why this machine is not online, and what to do, in one or two sentences for a user; nil while it is online.
    ///
    /// It names the nearest cause that is known: the fault of the path, the router, the name servers or the proxy concerned, or
    /// what happened to the requests of the latest check. The command, the dashboard and the log use the same sentence.
    public var reason: String? { conclusion.reason }

    /// The place of the nearest fault; nil while this machine is online, and if the place is not known.
    public var fault: ConnectivityFault? { conclusion.fault }

    /// What works badly although this machine is online, such as an IP version that is not answered; empty in other states.
    public var remarks: [InternetCheck.Remark] { conclusion.remarks }

    /// The name of `reason` for programs; nil while this machine is online.
    public var cause: ConnectivityCause? { conclusion.cause }

    /// A property that differs between two values, spelled as in the JSON report.
    public struct Change: RawRepresentable, Hashable, Sendable {
        /// The spelling in the JSON report.
        public let rawValue: String

        /// Creates a change from its spelling; unknown spellings are kept.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The state changed: `connectivity` in the report.
        public static let state = Change(rawValue: "connectivity")
        /// The network changed, even if over the same interface: `network`.
        public static let network = Change(rawValue: "network")
        /// The verdict on the Internet changed: `internet`.
        public static let internet = Change(rawValue: "internet")
        /// The interfaces, or their types, changed.
        public static let interfaces = Change(rawValue: "interfaces")
        /// The next-hop routers changed.
        public static let gateways = Change(rawValue: "gateways")
        /// The place of the fault, or its cause, changed while the state did not.
        public static let fault = Change(rawValue: "fault")
        /// The reason why there is no path changed.
        public static let reason = Change(rawValue: "reason")
        /// The status of the path changed: whether there is one.
        public static let status = Change(rawValue: "status")
    }

    /// The reportable differences from an earlier value; empty if there are none.
    ///
    /// A newer time of the same verdict is not reported. Neither is a network about which only more is known, nor
    /// another address of the login page.
    public func changes(since old: Connectivity) -> [Change] {
        var changes: [Change] = []
        if state != old.state { changes.append(.state) }
        if let identity, let before = old.identity, !identity.canBeSameNetwork(as: before) { changes.append(.network) }
        if evidence?.verdict.kind != old.evidence?.verdict.kind { changes.append(.internet) }
        let ofPath = path.changes(since: old.path).map(Change.init(rawValue:))
        // Another cause that the path explains is reported as a change of the path.
        let isOtherCause = fault != nil && cause != old.cause && ofPath.isEmpty
        if state == old.state, fault != old.fault || isOtherCause { changes.append(.fault) }
        return changes + ofPath
    }
}

extension Connectivity.Change: CustomStringConvertible {
    /// The spelling in the JSON report.
    public var description: String { rawValue }
}

extension Connectivity {
    /// Whether the Internet has answered over this path.
    ///
    /// It is false from the time when a network returns until its first check has passed, which takes up to a second: what
    /// was proven before the loss is not proven now, since the uplink behind the cable may be what was lost. The state is then
    /// `unverified` and the cause `notChecked`, which is neither online nor offline. A program that only shows the state can
    /// ignore that cause; one that decides whether to send should just send.
    public var isOnline: Bool { state == .online }

    /// Whether there is no path to the Internet at present.
    ///
    /// It is false while the state is unknown, so it is not the opposite of `isOnline`.
    public var isOffline: Bool { state == .offline || state == .requiresConnection }

    /// Whether the Internet has answered, and Wi-Fi carries the traffic, directly or under a tunnel.
    public var isOnlineViaWiFi: Bool { isOnline && path.usesInterfaceType(.wifi) }

    /// Whether the Internet has answered, and a mobile network carries the traffic, directly or under a tunnel.
    public var isOnlineViaCellular: Bool { isOnline && path.usesInterfaceType(.cellular) }

    /// Whether the Internet has answered, and a wired link carries the traffic, directly or under a tunnel.
    public var isOnlineViaWiredEthernet: Bool { isOnline && path.usesInterfaceType(.wiredEthernet) }

    /// Whether Wi-Fi is connected, but checks could not reach the full Internet over it: only a login page, or less.
    public var isOnWiFiWithoutInternet: Bool { isWithoutInternet && path.usesInterfaceType(.wifi) }

    /// Whether a mobile network is connected, but checks could not reach the full Internet over it.
    public var isOnCellularWithoutInternet: Bool { isWithoutInternet && path.usesInterfaceType(.cellular) }

    /// Whether a wired link is connected, but checks could not reach the full Internet over it.
    public var isOnWiredEthernetWithoutInternet: Bool { isWithoutInternet && path.usesInterfaceType(.wiredEthernet) }

    /// Whether there is a path, but checks could not reach the full Internet over it.
    public var isWithoutInternet: Bool { state.isWithoutInternet }
}

extension NetworkPath {
    /// Whether the path uses an interface of this type, directly or under a tunnel.
    public func usesInterfaceType(_ type: InterfaceType) -> Bool { usedInterfaceTypes.contains(type) }
}

extension HostReport {
    /// Whether the host is reachable, as far as `state` shows.
    public var isReachable: Bool { state == .reachable }
}

extension InternetCheck.Report {
    /// Whether the check verified that the path leads to the Internet.
    public var isVerified: Bool { verdict == .verified }
}

extension Connectivity {
    /// When a state began, as precisely as that was observed: not before `earliest`, and not after `latest`.
    public struct Beginning: Hashable, Sendable {
        /// The last time at which what then failed, or came back, was confirmed to be as before; nil if it had not been observed.
        public var earliest: Date?
        /// The time of the first sign of the new state.
        public var latest: Date

        /// Creates a beginning, also for tests.
        public init(earliest: Date?, latest: Date) {
            self.earliest = earliest
            self.latest = latest
        }

        /// The seconds by which the state may have begun before `latest`; nil if that is not known.
        public var margin: TimeInterval? { earliest.map { Swift.max(latest.timeIntervalSince($0), 0) } }
    }
}
