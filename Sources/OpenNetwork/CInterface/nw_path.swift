// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized, NoLeadingUnderscores
// The names are those of Apple's C interface.

#if !canImport(Darwin)

import SystemSupport

/// The object type behind a path of the C interface.
public protocol OS_nw_path: AnyObject, Sendable {}
/// The object type behind an interface of the C interface.
public protocol OS_nw_interface: AnyObject, Sendable {}

/// A path of the C interface: an immutable snapshot, as `NWPath` is.
public typealias nw_path_t = any OS_nw_path
/// A network interface of the C interface.
public typealias nw_interface_t = any OS_nw_interface
/// Called with each interface of a path; it returns whether to continue.
public typealias nw_path_enumerate_interfaces_block_t = (nw_interface_t) -> Bool
/// Called with each gateway of a path; it returns whether to continue.
public typealias nw_path_enumerate_gateways_block_t = (nw_endpoint_t) -> Bool

/// Returns whether connections can use the path.
public func nw_path_get_status(_ path: nw_path_t) -> nw_path_status_t {
    switch PathObject.path(of: path)?.status {
    case .satisfied: nw_path_status_satisfied
    case .unsatisfied: nw_path_status_unsatisfied
    case .requiresConnection: nw_path_status_satisfiable
    case nil: nw_path_status_invalid
    }
}

/// Returns why the path is unsatisfied.
public func nw_path_get_unsatisfied_reason(_ path: nw_path_t) -> nw_path_unsatisfied_reason_t {
    switch PathObject.path(of: path)?.unsatisfiedReason {
    case .cellularDenied: nw_path_unsatisfied_reason_cellular_denied
    case .wifiDenied: nw_path_unsatisfied_reason_wifi_denied
    case .localNetworkDenied: nw_path_unsatisfied_reason_local_network_denied
    case .vpnInactive: nw_path_unsatisfied_reason_vpn_inactive
    case .notAvailable, nil: nw_path_unsatisfied_reason_not_available
    }
}

/// Returns how capable the path's link is expected to be.
public func nw_path_get_link_quality(_ path: nw_path_t) -> nw_link_quality_t {
    switch PathObject.path(of: path)?.linkQuality {
    case .minimal: nw_link_quality_minimal
    case .moderate: nw_link_quality_moderate
    case .good: nw_link_quality_good
    case .unknown, nil: nw_link_quality_unknown
    }
}

/// Returns whether the path uses an interface whose traffic is charged by volume.
public func nw_path_is_expensive(_ path: nw_path_t) -> Bool { PathObject.path(of: path)?.isExpensive ?? false }

/// Returns whether the user wants the path to be used sparingly.
public func nw_path_is_constrained(_ path: nw_path_t) -> Bool { PathObject.path(of: path)?.isConstrained ?? false }

/// Returns whether the path has very little capacity.
public func nw_path_is_ultra_constrained(_ path: nw_path_t) -> Bool {
    PathObject.path(of: path)?.isUltraConstrained ?? false
}

/// Returns whether the path can carry IPv4.
public func nw_path_has_ipv4(_ path: nw_path_t) -> Bool { PathObject.path(of: path)?.supportsIPv4 ?? false }

/// Returns whether the path can carry IPv6.
public func nw_path_has_ipv6(_ path: nw_path_t) -> Bool { PathObject.path(of: path)?.supportsIPv6 ?? false }

/// Returns whether a DNS server is configured.
public func nw_path_has_dns(_ path: nw_path_t) -> Bool { PathObject.path(of: path)?.supportsDNS ?? false }

/// Returns whether traffic on the path may use an interface of a type.
public func nw_path_uses_interface_type(_ path: nw_path_t, _ interface_type: nw_interface_type_t) -> Bool {
    PathObject.path(of: path)?.usesInterfaceType(interface_type.interfaceType) ?? false
}

/// Returns whether two paths are equal, as `NWPath` compares them.
public func nw_path_is_equal(_ path: nw_path_t, _ other_path: nw_path_t) -> Bool {
    PathObject.path(of: path) == PathObject.path(of: other_path)
}

/// Calls the block with the interfaces that the path can use, most preferred first, until it returns false.
public func nw_path_enumerate_interfaces(
    _ path: nw_path_t, _ enumerate_block: nw_path_enumerate_interfaces_block_t
) {
    for interface in PathObject.path(of: path)?.availableInterfaces ?? [] {
        guard enumerate_block(InterfaceObject(interface)) else { return }
    }
}

/// Calls the block with the routers that the path leaves through, until it returns false.
public func nw_path_enumerate_gateways(_ path: nw_path_t, _ enumerate_block: nw_path_enumerate_gateways_block_t) {
    for gateway in PathObject.path(of: path)?.gateways ?? [] {
        guard enumerate_block(EndpointObject(gateway)) else { return }
    }
}

/// Returns the local end of a connection's path; always nil for the paths of a monitor.
public func nw_path_copy_effective_local_endpoint(_ path: nw_path_t) -> nw_endpoint_t? {
    PathObject.path(of: path)?.localEndpoint.map(EndpointObject.init)
}

/// Returns the remote end of a connection's path; always nil for the paths of a monitor.
public func nw_path_copy_effective_remote_endpoint(_ path: nw_path_t) -> nw_endpoint_t? {
    PathObject.path(of: path)?.remoteEndpoint.map(EndpointObject.init)
}

/// Returns the interface's type.
public func nw_interface_get_type(_ interface: nw_interface_t) -> nw_interface_type_t {
    InterfaceObject.of(interface).map { nw_interface_type_t($0.interface.type) } ?? nw_interface_type_other
}

/// Returns the interface's name, such as `eth0`; it is valid as long as the interface object lives.
public func nw_interface_get_name(_ interface: nw_interface_t) -> UnsafePointer<CChar> {
    unsafe (InterfaceObject.of(interface)?.name ?? InterfaceObject.noName).pointer
}

/// Returns the interface's index; 0 means none.
public func nw_interface_get_index(_ interface: nw_interface_t) -> UInt32 {
    InterfaceObject.of(interface).flatMap { UInt32(exactly: $0.interface.index) } ?? 0
}

/// Returns an endpoint's host as text, a name or a numeric address; it is valid as long as the endpoint lives.
public func nw_endpoint_get_hostname(_ endpoint: nw_endpoint_t) -> UnsafePointer<CChar> {
    unsafe ((endpoint as? EndpointObject)?.hostName ?? InterfaceObject.noName).pointer
}

/// Returns an endpoint's port in host byte order; 0 means none.
public func nw_endpoint_get_port(_ endpoint: nw_endpoint_t) -> UInt16 {
    guard case .hostPort(_, let port) = (endpoint as? EndpointObject)?.endpoint else { return 0 }
    return port.rawValue
}

/// The object that the C interface uses for a path.
final class PathObject: OS_nw_path {
    private let path: NWPath

    init(_ path: NWPath) { self.path = path }

    static func path(of object: nw_path_t) -> NWPath? { (object as? PathObject)?.path }
}

private final class InterfaceObject: OS_nw_interface {
    let interface: NWInterface
    let name: CText

    /// An empty C string that lives as long as the program.
    static let noName = CText("")

    init(_ interface: NWInterface) {
        self.interface = interface
        name = CText(interface.name)
    }

    static func of(_ object: nw_interface_t) -> InterfaceObject? { object as? InterfaceObject }
}

private final class EndpointObject: OS_nw_endpoint {
    let endpoint: NWEndpoint
    let hostName: CText

    init(_ endpoint: NWEndpoint) {
        self.endpoint = endpoint
        if case .hostPort(let host, _) = endpoint { hostName = CText("\(host)") } else { hostName = CText("") }
    }
}

#endif
