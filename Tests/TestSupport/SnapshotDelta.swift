// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
public import NetworkState

extension NetworkUpdate {
    /// The changes since the last publication; empty in a subscriber's first update.
    public var delta: SnapshotDelta { SnapshotDelta(from: old?.snapshot, to: snapshot) }
}

/// The differences between two snapshots.
public struct SnapshotDelta: Hashable, Sendable {
    /// One thing that changed.
    public enum Change: Hashable, Sendable {
        /// A link appeared.
        case interfaceAdded(String)
        /// A link disappeared.
        case interfaceRemoved(String)
        /// A link's flags, name, type or controller changed: switched on or off, carrier, dormant; or its Wi-Fi
        /// network, radio switch, cost or tunnel carrier.
        case interfaceState(String)
        /// A link's addresses changed.
        case addresses(String)
        /// The kernel would send packets over a different route.
        case routing
        /// The kernel would send packets to a watched host over a different route.
        case hosts
        /// A rule that rejects packets was added or removed.
        case rules
        /// Wi-Fi was switched on or off.
        case wifiSwitch
        /// The name servers changed.
        case resolver
        /// The visibility of the network changed.
        case visibility
        /// The costs configured by the program changed.
        case costs
    }

    /// The changes: links in order, then the rest.
    public var changes: [Change]

    /// Compares two snapshots; without an old one there are no changes.
    public init(from old: NetworkSnapshot?, to new: NetworkSnapshot) {
        changes = []
        guard let old else { return }
        // Most often both share the same storage, which makes this comparison fast.
        if old.interfaces != new.interfaces { compareInterfaces(old, new) }
        if old.routing != new.routing { changes.append(.routing) }
        if new.hosts.contains(where: { old.hosts[$0.key] != nil && old.hosts[$0.key] != $0.value }) {
            changes.append(.hosts)
        }
        if old.hasRejectingRule != new.hasRejectingRule { changes.append(.rules) }
        if old.isWiFiSwitchedOff != new.isWiFiSwitchedOff { changes.append(.wifiSwitch) }
        if old.resolver != new.resolver { changes.append(.resolver) }
        if old.visibility != new.visibility { changes.append(.visibility) }
        if old.costs != new.costs { changes.append(.costs) }
    }

    private mutating func compareInterfaces(_ old: NetworkSnapshot, _ new: NetworkSnapshot) {
        for interface in old.interfaces where new.interface(interface.index) == nil {
            changes.append(.interfaceRemoved(interface.name))
        }
        for interface in new.interfaces {
            guard var before = old.interface(interface.index) else {
                changes.append(.interfaceAdded(interface.name))
                continue
            }
            if before.addresses != interface.addresses { changes.append(.addresses(interface.name)) }
            before.addresses = interface.addresses
            if before != interface { changes.append(.interfaceState(interface.name)) }
        }
    }
}
#endif
