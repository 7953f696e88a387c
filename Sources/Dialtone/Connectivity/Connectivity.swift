//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

/// Whether this machine is online, over what, since when, and how that is known.
///
/// Two values are equal when all of that is. Whether one is *news* after the other is a smaller question: a check that
/// confirms the last one is none. See `changes(since:)`.
public struct Connectivity: Hashable, Sendable {
    /// The one answer.
    public var state: ConnectivityState
    /// The path.
    public var path: NetworkPath
    /// Since when `state` is the answer, by the wall clock.
    public var since: Date
    /// What the latest check over this path found; nil before the first, and without a path.
    public var evidence: InternetCheck.Report?
    /// Which network this is, or was before the path was lost; nil where that cannot be told.
    public var identity: NetworkIdentity?
    /// What differs from the value delivered before; empty in the first.
    public var changes: [Change]

    /// Makes a value: for tests, previews and simulations.
    public init(
        state: ConnectivityState, path: NetworkPath, since: Date, evidence: InternetCheck.Report? = nil,
        identity: NetworkIdentity? = nil, changes: [Change] = []
    ) {
        self.state = state
        self.path = path
        self.since = since
        self.evidence = evidence
        self.identity = identity
        self.changes = changes
    }
}

extension Connectivity {
    /// Something that differs between two values, spelled as in the JSON report.
    public struct Change: RawRepresentable, Hashable, Sendable {
        /// The spelling of the JSON report.
        public let rawValue: String

        /// Names a change; unknown ones are kept.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The state: `connectivity` in the report.
        public static let state = Change(rawValue: "connectivity")
        /// Another network than before, even if over the same interface: `network`.
        public static let network = Change(rawValue: "network")
        /// The verdict on the Internet: `internet`.
        public static let internet = Change(rawValue: "internet")
        /// The interfaces, or their types.
        public static let interfaces = Change(rawValue: "interfaces")
        /// The next routers.
        public static let gateways = Change(rawValue: "gateways")
        /// What stands in the way of a path.
        public static let reason = Change(rawValue: "reason")
        /// Whether there is a path.
        public static let status = Change(rawValue: "status")
    }

    /// What of this differs from an earlier value; empty when it is no news.
    ///
    /// A newer time of the same verdict is no news, nor is a network that is only known better, nor another address of
    /// the login page.
    public func changes(since old: Connectivity) -> [Change] {
        var changes: [Change] = []
        if state != old.state { changes.append(.state) }
        if let identity, let before = old.identity, !identity.canBeSameNetwork(as: before) { changes.append(.network) }
        if evidence?.verdict.kind != old.evidence?.verdict.kind { changes.append(.internet) }
        return changes + path.changes(since: old.path).map(Change.init(rawValue:))
    }
}

extension Connectivity.Change: CustomStringConvertible {
    /// The spelling of the JSON report.
    public var description: String { rawValue }
}
