//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import NetworkState

/// What about a way decides the flags.
struct PathFacts: Hashable {
    enum Status: Hashable, CaseIterable { case satisfied, unsatisfied, requiresConnection, unknown }

    var status: Status
    /// It leads over a mobile network.
    var isCellular = false
    /// It is dialled, or a VPN.
    var isDialledOrVPN = false
    /// It ends at this host.
    var isLocalAddress = false
    /// No router is on it.
    var isDirect = false
    /// Only a person can bring it about.
    var needsIntervention = false
    /// The link that it leads over; 0 is none.
    var interfaceIndex: Int32 = 0
}

extension PathFacts {
    /// The facts of the way to anywhere.
    init(_ path: PathEvaluation, in snapshot: NetworkSnapshot) {
        self.init(status: Status(path.status, in: snapshot))
        describe(path.interfaces.first, path, snapshot)
    }

    /// The facts of the way to one address.
    init(_ host: HostEvaluation, _ path: PathEvaluation, in snapshot: NetworkSnapshot) {
        self.init(status: Status(host.status, in: snapshot))
        isLocalAddress = host.isLocalAddress
        isDirect = host.isDirect
        describe(host.interface, path, snapshot)
    }

    private mutating func describe(_ link: NetworkInterface?, _ path: PathEvaluation, _ snapshot: NetworkSnapshot) {
        needsIntervention = status == .unsatisfied && snapshot.needsIntervention
        guard let link, status != .unsatisfied else { return }
        interfaceIndex = link.index
        // What stays on this host uses no connection.
        guard !isLocalAddress else { return }
        // A tunnel costs what carries it.
        isCellular = link.type == .cellular || (link.isTunnel && path.usedTypes.contains(.cellular))
        isDialledOrVPN = link.isDialledOrVPN
    }
}

extension PathFacts.Status {
    fileprivate init(_ status: PathEvaluation.Status, in snapshot: NetworkSnapshot) {
        if case .unavailable = snapshot.visibility {
            self = .unknown
        } else {
            switch status {
            case .satisfied: self = .satisfied
            case .unsatisfied: self = .unsatisfied
            case .requiresConnection: self = .requiresConnection
            }
        }
    }
}

#endif
