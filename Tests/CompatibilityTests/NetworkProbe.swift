// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import OpenNetwork

/// Uses each symbol that COMPATIBILITY.md lists as available; the proof is that this compiles.
enum NetworkProbe {
    // Never called: some create objects, and one runs a run loop.
    static let uses: [(symbol: String, use: @Sendable () -> Void)] = [
        ("NWPathMonitor.init()", { _ = NWPathMonitor() }),
        ("NWPathMonitor.init(requiredInterfaceType:)", { _ = NWPathMonitor(requiredInterfaceType: .wifi) }),
        ("NWPathMonitor.init(prohibitedInterfaceTypes:)", { _ = NWPathMonitor(prohibitedInterfaceTypes: [.cellular]) }),
        ("NWPathMonitor.currentPath", { _ = \NWPathMonitor.currentPath }),
        ("NWPathMonitor.pathUpdateHandler", { _ = \NWPathMonitor.pathUpdateHandler }),
        ("NWPathMonitor.queue", { _ = \NWPathMonitor.queue }),
        ("NWPathMonitor.start(queue:)", { _ = NWPathMonitor.start(queue:) }),
        ("NWPathMonitor.cancel()", { _ = NWPathMonitor.cancel }),
        ("NWPathMonitor.debugDescription", { _ = \NWPathMonitor.debugDescription }),
        ("NWPathMonitor.makeAsyncIterator()", { _ = NWPathMonitor.makeAsyncIterator }),
        ("NWPathMonitor.Iterator", { _ = NWPathMonitor.Iterator.self }),
        ("NWPathMonitor.Element", { _ = NWPathMonitor.Element.self }),
        ("NWPathMonitor.AsyncIterator", { _ = NWPathMonitor.AsyncIterator.self }),
        ("NWPath", { _ = NWPath.self }),
        ("NWPath.Status.satisfied", { _ = NWPath.Status.satisfied }),
        ("NWPath.Status.unsatisfied", { _ = NWPath.Status.unsatisfied }),
        ("NWPath.Status.requiresConnection", { _ = NWPath.Status.requiresConnection }),
        ("NWPath.UnsatisfiedReason.notAvailable", { _ = NWPath.UnsatisfiedReason.notAvailable }),
        ("NWPath.UnsatisfiedReason.cellularDenied", { _ = NWPath.UnsatisfiedReason.cellularDenied }),
        ("NWPath.UnsatisfiedReason.wifiDenied", { _ = NWPath.UnsatisfiedReason.wifiDenied }),
        ("NWPath.UnsatisfiedReason.localNetworkDenied", { _ = NWPath.UnsatisfiedReason.localNetworkDenied }),
        ("NWPath.UnsatisfiedReason.vpnInactive", { _ = NWPath.UnsatisfiedReason.vpnInactive }),
        ("NWPath.LinkQuality", { _ = NWPath.LinkQuality.self }),
        ("NWPath.status", { _ = \NWPath.status }),
        ("NWPath.unsatisfiedReason", { _ = \NWPath.unsatisfiedReason }),
        ("NWPath.availableInterfaces", { _ = \NWPath.availableInterfaces }),
        ("NWPath.isExpensive", { _ = \NWPath.isExpensive }),
        ("NWPath.isConstrained", { _ = \NWPath.isConstrained }),
        ("NWPath.isUltraConstrained", { _ = \NWPath.isUltraConstrained }),
        ("NWPath.linkQuality", { _ = \NWPath.linkQuality }),
        ("NWPath.supportsIPv4", { _ = \NWPath.supportsIPv4 }),
        ("NWPath.supportsIPv6", { _ = \NWPath.supportsIPv6 }),
        ("NWPath.supportsDNS", { _ = \NWPath.supportsDNS }),
        ("NWPath.gateways", { _ = \NWPath.gateways }),
        ("NWPath.localEndpoint", { _ = \NWPath.localEndpoint }),
        ("NWPath.remoteEndpoint", { _ = \NWPath.remoteEndpoint }),
        ("NWPath.usesInterfaceType(_:)", { _ = NWPath.usesInterfaceType }),
        ("NWPath.debugDescription", { _ = \NWPath.debugDescription }),
        ("NWInterface", { _ = NWInterface.self }),
        (
            "NWInterface.InterfaceType",
            { _ = [NWInterface.InterfaceType.other, .wifi, .cellular, .wiredEthernet, .loopback] }
        ),
        ("NWInterface.type", { _ = \NWInterface.type }),
        ("NWInterface.name", { _ = \NWInterface.name }),
        ("NWInterface.index", { _ = \NWInterface.index }),
        ("NWInterface.debugDescription", { _ = \NWInterface.debugDescription }),
        ("NWInterface.RadioType", { _ = NWInterface.RadioType.self }),
        ("NWEndpoint.hostPort(host:port:)", { _ = NWEndpoint.hostPort(host: "h", port: 1) }),
        (
            "NWEndpoint.service(name:type:domain:interface:)",
            { _ = NWEndpoint.service(name: "n", type: "t", domain: "d", interface: nil) }
        ),
        ("NWEndpoint.unix(path:)", { _ = NWEndpoint.unix(path: "/") }),
        (
            "NWEndpoint.init(copying:newPort:)",
            { _ = NWEndpoint(copying: .hostPort(host: "h", port: 1), newPort: 2) }
        ),
        ("NWEndpoint.url(_:)", { _ = NWEndpoint.url }),
        ("NWEndpoint.opaque(_:)", { _ = NWEndpoint.opaque }),
        ("NWEndpoint.txtRecord", { _ = \NWEndpoint.txtRecord }),
        ("NWTXTRecord", { _ = NWTXTRecord(["key": "text"])["key"] }),
        ("NWEndpoint.interface", { _ = \NWEndpoint.interface }),
        ("NWEndpoint.Host", { _ = [NWEndpoint.Host("h"), NWEndpoint.Host.name("h", nil), .ipv4(.any), .ipv6(.any)] }),
        ("NWEndpoint.Host.interface", { _ = \NWEndpoint.Host.interface }),
        ("NWEndpoint.Port.init(_:)", { _ = NWEndpoint.Port("http") }),
        ("NWEndpoint.Port.init(rawValue:)", { _ = NWEndpoint.Port(rawValue: 80) }),
        ("NWEndpoint.Port.rawValue", { _ = \NWEndpoint.Port.rawValue }),
        (
            "NWEndpoint.Port.any",
            { _ = [NWEndpoint.Port.any, .ssh, .smtp, .http, .pop, .imap, .https, .imaps, .socks] }
        ),
        ("nw_path_monitor_create", { _ = nw_path_monitor_create }),
        ("nw_path_monitor_create_with_type", { _ = nw_path_monitor_create_with_type }),
        ("nw_path_monitor_prohibit_interface_type", { _ = nw_path_monitor_prohibit_interface_type }),
        ("nw_path_monitor_set_queue", { _ = nw_path_monitor_set_queue }),
        ("nw_path_monitor_set_update_handler", { _ = nw_path_monitor_set_update_handler }),
        ("nw_path_monitor_set_cancel_handler", { _ = nw_path_monitor_set_cancel_handler }),
        ("nw_path_monitor_start", { _ = nw_path_monitor_start }),
        ("nw_path_monitor_cancel", { _ = nw_path_monitor_cancel }),
        ("nw_path_get_status", { _ = nw_path_get_status }),
        ("nw_path_get_unsatisfied_reason", { _ = nw_path_get_unsatisfied_reason }),
        ("nw_path_get_link_quality", { _ = nw_path_get_link_quality }),
        ("nw_path_is_expensive", { _ = nw_path_is_expensive }),
        ("nw_path_is_constrained", { _ = nw_path_is_constrained }),
        ("nw_path_is_ultra_constrained", { _ = nw_path_is_ultra_constrained }),
        ("nw_path_has_ipv4", { _ = nw_path_has_ipv4 }),
        ("nw_path_has_ipv6", { _ = nw_path_has_ipv6 }),
        ("nw_path_has_dns", { _ = nw_path_has_dns }),
        ("nw_path_uses_interface_type", { _ = nw_path_uses_interface_type }),
        ("nw_path_is_equal", { _ = nw_path_is_equal }),
        ("nw_path_enumerate_interfaces", { _ = nw_path_enumerate_interfaces }),
        ("nw_path_enumerate_gateways", { _ = nw_path_enumerate_gateways }),
        ("nw_path_copy_effective_local_endpoint", { _ = nw_path_copy_effective_local_endpoint }),
        ("nw_path_copy_effective_remote_endpoint", { _ = nw_path_copy_effective_remote_endpoint }),
        ("nw_interface_get_type", { _ = nw_interface_get_type }),
        ("nw_interface_get_name", { _ = nw_interface_get_name }),
        ("nw_interface_get_index", { _ = nw_interface_get_index }),
        ("nw_endpoint_get_hostname", { _ = nw_endpoint_get_hostname }),
        ("nw_endpoint_get_port", { _ = nw_endpoint_get_port }),
        ("IPAddress", { _ = (any IPAddress).self }),
        ("IPv4Address.init(_:)", { _ = IPv4Address("127.1") }),
        ("IPv4Address.init(_:_:)", { _ = IPv4Address(Data(), nil) }),
        (
            "IPv4Address.any",
            {
                _ = [
                    IPv4Address.any, .broadcast, .loopback, .allHostsGroup, .allRoutersGroup, .allReportsGroup,
                    .mdnsGroup,
                ]
            }
        ),
        ("IPv4Address.interface", { _ = \IPv4Address.interface }),
        ("IPv4Address.rawValue", { _ = \IPv4Address.rawValue }),
        ("IPv4Address.isLoopback", { _ = [\IPv4Address.isLoopback, \.isLinkLocal, \.isMulticast] }),
        ("IPv6Address.init(_:)", { _ = IPv6Address("::1") }),
        ("IPv6Address.init(_:_:)", { _ = IPv6Address(Data(), nil) }),
        (
            "IPv6Address.any",
            { _ = [IPv6Address.any, .broadcast, .loopback, .nodeLocalNodes, .linkLocalNodes, .linkLocalRouters] }
        ),
        (
            "IPv6Address.Scope",
            { _ = [IPv6Address.Scope.nodeLocal, .linkLocal, .siteLocal, .organizationLocal, .global] }
        ),
        ("IPv6Address.isUniqueLocal", { _ = \IPv6Address.isUniqueLocal }),
        (
            "IPv6Address.isAny",
            {
                _ = [
                    \IPv6Address.isAny, \.isLoopback, \.isIPv4Compatabile, \.isIPv4Mapped, \.is6to4, \.isLinkLocal,
                    \.isMulticast,
                ]
            }
        ),
        ("IPv6Address.asIPv4", { _ = \IPv6Address.asIPv4 }),
        ("IPv6Address.multicastScope", { _ = \IPv6Address.multicastScope }),
        ("IPv6Address.interface", { _ = \IPv6Address.interface }),
        ("IPv6Address.rawValue", { _ = \IPv6Address.rawValue }),
    ]
}

#endif
