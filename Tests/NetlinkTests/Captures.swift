// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import Netlink

/// Messages about links, recorded on Linux 6.18.
enum LinkCaptures {
    static let all = [loopback, vethUp, vethWithoutCarrier, bridgePort, macvlan, tun, deletedMacvlan]

    static let loopback = Capture(file: "link/loopback")
    static let vethUp = Capture(file: "link/vethUp")
    static let vethWithoutCarrier = Capture(file: "link/vethWithoutCarrier")
    static let bridgePort = Capture(file: "link/bridgePort")
    static let macvlan = Capture(file: "link/macvlan")
    static let tun = Capture(file: "link/tun")
    static let deletedMacvlan = Capture(file: "link/deletedMacvlan")
}

/// Messages about addresses, recorded on Linux 6.18.
enum AddressCaptures {
    static let all = [ipv4WithLabel, ipv6WithoutDetection, ipv6Tentative, ipv4Peer]

    static let ipv4WithLabel = Capture(file: "address/ipv4WithLabel")
    static let ipv6WithoutDetection = Capture(file: "address/ipv6WithoutDetection")
    static let ipv6Tentative = Capture(file: "address/ipv6Tentative")
    static let ipv4Peer = Capture(file: "address/ipv4Peer")
}

/// Messages about routes, recorded on Linux 6.18.
enum RouteCaptures {
    static let all = [
        ipv4Default, ipv6Default, ipv4Blackhole, ipv6Unreachable, ipv4Multipath, ipv6Multipath, ipv4ViaIPv6,
        ipv6Expiring, ipv4InLargeTable, ipv4OnLink, ipv4LinkDown, ipv4Replaced, ipv4WithNextHopObject,
    ]

    static let ipv4Default = Capture(file: "route/ipv4Default")
    static let ipv6Default = Capture(file: "route/ipv6Default")
    static let ipv4Blackhole = Capture(file: "route/ipv4Blackhole")
    static let ipv6Unreachable = Capture(file: "route/ipv6Unreachable")
    static let ipv4Multipath = Capture(file: "route/ipv4Multipath")
    static let ipv6Multipath = Capture(file: "route/ipv6Multipath")
    static let ipv4ViaIPv6 = Capture(file: "route/ipv4ViaIPv6")
    static let ipv6Expiring = Capture(file: "route/ipv6Expiring")
    static let ipv4InLargeTable = Capture(file: "route/ipv4InLargeTable")
    static let ipv4OnLink = Capture(file: "route/ipv4OnLink")
    static let ipv4LinkDown = Capture(file: "route/ipv4LinkDown")
    static let ipv4Replaced = Capture(file: "route/ipv4Replaced")
    static let ipv4WithNextHopObject = Capture(file: "route/ipv4WithNextHopObject")
}

/// Messages about nexthop objects, recorded on Linux 6.18.
enum NextHopCaptures {
    static let all = [single, singleIPv6, group, blackhole]

    static let single = Capture(file: "nexthop/single")
    static let singleIPv6 = Capture(file: "nexthop/singleIPv6")
    static let group = Capture(file: "nexthop/group")
    static let blackhole = Capture(file: "nexthop/blackhole")
}

/// Messages about policy rules, recorded on Linux 6.18.
enum RuleCaptures {
    static let all = [marked, suppressing, selective, ipv6Unreachable, local]

    static let marked = Capture(file: "rule/marked")
    static let suppressing = Capture(file: "rule/suppressing")
    static let selective = Capture(file: "rule/selective")
    static let ipv6Unreachable = Capture(file: "rule/ipv6Unreachable")
    static let local = Capture(file: "rule/local")
}

/// Messages about neighbours, recorded on Linux 6.18.
enum NeighborCaptures {
    static let all = [ipv4Permanent, ipv6StaleRouter, forwarding]

    static let ipv4Permanent = Capture(file: "neighbor/ipv4Permanent")
    static let ipv6StaleRouter = Capture(file: "neighbor/ipv6StaleRouter")
    static let forwarding = Capture(file: "neighbor/forwarding")
}

/// Answers to requests, recorded on Linux 6.18.
enum AnswerCaptures {
    static let all = [errorWithWholeRequest, errorWithRequestHeader, acknowledgement, done, doneWithError]

    static let errorWithWholeRequest = Capture(file: "answer/errorWithWholeRequest")
    static let errorWithRequestHeader = Capture(file: "answer/errorWithRequestHeader")
    static let acknowledgement = Capture(file: "answer/acknowledgement")
    static let done = Capture(file: "answer/done")
    static let doneWithError = Capture(file: "answer/doneWithError")
}

/// Messages of generic netlink, recorded on Linux 6.18.
enum GenericCaptures {
    static let all = [controller]

    static let controller = Capture(file: "generic/controller")
}

/// Messages of nl80211 for a simulated radio that has joined the network `home`, recorded on Linux 6.1 with `LabProbe record`.
enum WiFiCaptures {
    static let all = [interface, station, network]

    static let interface = Capture(file: "wifi/interface")
    static let station = Capture(file: "wifi/station")
    static let network = Capture(file: "wifi/network")
}

/// Descriptions of tunnels, recorded on Linux 6.1 with `LabProbe record`.
///
/// Per-family settings, statistics and similar attributes (`IFLA_AF_SPEC`, `IFLA_STATS`, `IFLA_STATS64`, `IFLA_MAP`) are left
/// out, and so is WireGuard's private key.
enum TunnelCaptures {
    static let all = links.map(\.1) + [wireGuard]

    /// The kind, the answer to `RTM_GETLINK`, and the options in it.
    static let links: [(String, Capture, TunnelOptions?)] = [
        ("ipip", Capture(file: "tunnel/ipip"), TunnelOptions(remote: "203.0.113.9", local: "192.0.2.2")),
        ("gre", Capture(file: "tunnel/gre"), TunnelOptions(remote: "203.0.113.9")),
        ("gretap", Capture(file: "tunnel/gretap"), TunnelOptions(remote: "203.0.113.9")),
        ("vti", Capture(file: "tunnel/vti"), TunnelOptions(remote: "203.0.113.9", local: "192.0.2.2")),
        ("vxlan", Capture(file: "tunnel/vxlan"), TunnelOptions(remote: "203.0.113.9")),
        ("vxlan", Capture(file: "tunnel/vxlanMulticast"), TunnelOptions(remote: "239.1.1.1", link: 2)),
        ("geneve", Capture(file: "tunnel/geneve"), TunnelOptions(remote: "203.0.113.9")),
        ("xfrm", Capture(file: "tunnel/xfrm"), TunnelOptions(link: 2)),
    ]

    static let wireGuard = Capture(file: "tunnel/wireGuard")
}
