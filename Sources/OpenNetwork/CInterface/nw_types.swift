// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized, NoLeadingUnderscores
// The names are those of Apple's C interface.

#if !canImport(Darwin)

import NetworkModel

// The constants are computed: a stored global would be initialized behind a lock at its first use.

/// The status of a path in the C interface.
///
/// Source: Apple's documentation of `nw_path_status_t`.
public struct nw_path_status_t: RawRepresentable, Hashable, Sendable {
    /// The value in C.
    public var rawValue: UInt32
    /// Creates a status from its C value; an undefined value is kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Creates a status from its C value; an undefined value is kept.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// There is no valid path.
public var nw_path_status_invalid: nw_path_status_t { nw_path_status_t(0) }
/// Connections can use the path.
public var nw_path_status_satisfied: nw_path_status_t { nw_path_status_t(1) }
/// Connections cannot use the path.
public var nw_path_status_unsatisfied: nw_path_status_t { nw_path_status_t(2) }
/// Trying to connect may bring the path up: `NWPath.Status.requiresConnection`.
public var nw_path_status_satisfiable: nw_path_status_t { nw_path_status_t(3) }

/// The reason why a path is unsatisfied, in the C interface.
///
/// Source: Apple's documentation of `nw_path_unsatisfied_reason_t`.
public struct nw_path_unsatisfied_reason_t: RawRepresentable, Hashable, Sendable {
    /// The value in C.
    public var rawValue: UInt32
    /// Creates a reason from its C value; an undefined value is kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Creates a reason from its C value; an undefined value is kept.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// No reason is given.
public var nw_path_unsatisfied_reason_not_available: nw_path_unsatisfied_reason_t { nw_path_unsatisfied_reason_t(0) }
/// The user forbids cellular data.
public var nw_path_unsatisfied_reason_cellular_denied: nw_path_unsatisfied_reason_t { nw_path_unsatisfied_reason_t(1) }
/// The user forbids Wi-Fi.
public var nw_path_unsatisfied_reason_wifi_denied: nw_path_unsatisfied_reason_t { nw_path_unsatisfied_reason_t(2) }
/// The user forbids access to the local network.
public var nw_path_unsatisfied_reason_local_network_denied: nw_path_unsatisfied_reason_t {
    nw_path_unsatisfied_reason_t(3)
}
/// A required VPN is not up.
public var nw_path_unsatisfied_reason_vpn_inactive: nw_path_unsatisfied_reason_t { nw_path_unsatisfied_reason_t(4) }

/// The expected capability of a link, in the C interface.
///
/// Source: Apple's documentation of `nw_link_quality_t`.
public struct nw_link_quality_t: RawRepresentable, Hashable, Sendable {
    /// The value in C.
    public var rawValue: UInt8
    /// Creates a quality from its C value; an undefined value is kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Creates a quality from its C value; an undefined value is kept.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }
}

/// The quality was not measured.
public var nw_link_quality_unknown: nw_link_quality_t { nw_link_quality_t(0) }
/// Barely usable.
public var nw_link_quality_minimal: nw_link_quality_t { nw_link_quality_t(10) }
/// Usable for most things.
public var nw_link_quality_moderate: nw_link_quality_t { nw_link_quality_t(20) }
/// As good as the link can be.
public var nw_link_quality_good: nw_link_quality_t { nw_link_quality_t(30) }

/// The type of an interface, in the C interface.
///
/// Source: Apple's documentation of `nw_interface_type_t`.
public struct nw_interface_type_t: RawRepresentable, Hashable, Sendable {
    /// The value in C.
    public var rawValue: UInt32
    /// Creates a type from its C value; an undefined value is kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Creates a type from its C value; an undefined value is kept.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    init(_ type: NWInterface.InterfaceType) { self.init(type.cValue) }

    /// The type in Swift; `.other` for a value that C does not define.
    var interfaceType: NWInterface.InterfaceType { .init(cValue: rawValue) ?? .other }
}

/// A tunnel, or a link of unknown type.
public var nw_interface_type_other: nw_interface_type_t { nw_interface_type_t(0) }
/// Wi-Fi.
public var nw_interface_type_wifi: nw_interface_type_t { nw_interface_type_t(1) }
/// A cellular modem.
public var nw_interface_type_cellular: nw_interface_type_t { nw_interface_type_t(2) }
/// Wired Ethernet.
public var nw_interface_type_wired: nw_interface_type_t { nw_interface_type_t(3) }
/// The loopback interface of this host.
public var nw_interface_type_loopback: nw_interface_type_t { nw_interface_type_t(4) }

#endif
