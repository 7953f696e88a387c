// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CKernelConstants
import CLinux
@testable import Netlink
import NetlinkTesting
import Testing

extension ConstantTests {
    @Test func `link attributes`() {
        typealias Ours = LinkMessage.Attribute
        typealias Request = LinkMessage.RequestAttribute
        typealias Change = LinkMessage.ChangeAttribute
        Self.check([
            Pair("IFLA_ADDRESS", Ours.address.rawValue, IFLA_ADDRESS),
            Pair("IFLA_IFNAME", Ours.name.rawValue, IFLA_IFNAME),
            Pair("IFLA_LINK", Ours.link.rawValue, IFLA_LINK), Pair("IFLA_MTU", Change.mtu, IFLA_MTU),
            Pair("IFLA_MASTER", Ours.controller.rawValue, IFLA_MASTER),
            Pair("IFLA_WIRELESS", Ours.wireless.rawValue, IFLA_WIRELESS),
            Pair("IFLA_OPERSTATE", Ours.operationalState.rawValue, IFLA_OPERSTATE),
            Pair("IFLA_LINKINFO", Ours.info.rawValue, IFLA_LINKINFO),
            Pair("IFLA_GROUP", Ours.group.rawValue, IFLA_GROUP),
            Pair("IFLA_CARRIER", Ours.carrier.rawValue, IFLA_CARRIER),
            Pair("IFLA_LINK_NETNSID", Ours.lowerNamespace.rawValue, IFLA_LINK_NETNSID),
            Pair("IFLA_PARENT_DEV_BUS_NAME", Ours.parentBus.rawValue, IFLA_PARENT_DEV_BUS_NAME),
            Pair("IFLA_INFO_KIND", LinkMessage.InfoAttribute.kind, IFLA_INFO_KIND),
            Pair("IFLA_INFO_DATA", LinkMessage.InfoAttribute.data, IFLA_INFO_DATA),
            Pair("IFLA_INFO_SLAVE_KIND", LinkMessage.InfoAttribute.controllerKind, IFLA_INFO_SLAVE_KIND),
            Pair("IFLA_LINKMODE", Change.linkMode, IFLA_LINKMODE),
            Pair("IFLA_NET_NS_FD", Change.namespaceDescriptor, IFLA_NET_NS_FD),
            Pair("IFLA_EXT_MASK", Request.extraMask, IFLA_EXT_MASK),
            Pair("RTEXT_FILTER_SKIP_STATS", Request.skipStatistics, RTEXT_FILTER_SKIP_STATS),
            Pair("VETH_INFO_PEER", Change.vethPeer, VETH_INFO_PEER),
            Pair("IFLA_MACVLAN_MODE", Change.macvlanMode, IFLA_MACVLAN_MODE),
            Pair("MACVLAN_MODE_BRIDGE", Change.macvlanBridge, MACVLAN_MODE_BRIDGE.rawValue),
            Pair("IFLA_VLAN_ID", Change.vlanIdentifier, IFLA_VLAN_ID),
            Pair("IFF_TUN", Tunnel.Content.packets.flag, IFF_TUN), Pair("IFF_TAP", Tunnel.Content.frames.flag, IFF_TAP),
            Pair("IFF_NO_PI", Tunnel.noPacketInformation, IFF_NO_PI),
        ])
    }

    @Test func `tunnel attributes`() {
        typealias Ours = TunnelOptions.Numbers
        typealias WireGuard = WireGuardDevice
        Self.check([
            Pair("IFLA_IPTUN_LINK", Ours.ip.link ?? 0, CKernel_IFLA_IPTUN_LINK),
            Pair("IFLA_IPTUN_LOCAL", Ours.ip.local ?? 0, CKernel_IFLA_IPTUN_LOCAL),
            Pair("IFLA_IPTUN_REMOTE", Ours.ip.remote ?? 0, CKernel_IFLA_IPTUN_REMOTE),
            Pair("IFLA_IPTUN_FWMARK", Ours.ip.mark ?? 0, CKernel_IFLA_IPTUN_FWMARK),
            Pair("IFLA_GRE_LINK", Ours.gre.link ?? 0, CKernel_IFLA_GRE_LINK),
            Pair("IFLA_GRE_LOCAL", Ours.gre.local ?? 0, CKernel_IFLA_GRE_LOCAL),
            Pair("IFLA_GRE_REMOTE", Ours.gre.remote ?? 0, CKernel_IFLA_GRE_REMOTE),
            Pair("IFLA_GRE_FWMARK", Ours.gre.mark ?? 0, CKernel_IFLA_GRE_FWMARK),
            Pair("IFLA_VTI_LINK", Ours.vti.link ?? 0, CKernel_IFLA_VTI_LINK),
            Pair("IFLA_VTI_LOCAL", Ours.vti.local ?? 0, CKernel_IFLA_VTI_LOCAL),
            Pair("IFLA_VTI_REMOTE", Ours.vti.remote ?? 0, CKernel_IFLA_VTI_REMOTE),
            Pair("IFLA_VTI_FWMARK", Ours.vti.mark ?? 0, CKernel_IFLA_VTI_FWMARK),
            Pair("IFLA_VXLAN_LINK", Ours.vxlan.link ?? 0, IFLA_VXLAN_LINK),
            Pair("IFLA_VXLAN_LOCAL", Ours.vxlan.local ?? 0, IFLA_VXLAN_LOCAL),
            Pair("IFLA_VXLAN_LOCAL6", Ours.vxlan.local6 ?? 0, IFLA_VXLAN_LOCAL6),
            Pair("IFLA_VXLAN_GROUP", Ours.vxlan.remote ?? 0, IFLA_VXLAN_GROUP),
            Pair("IFLA_VXLAN_GROUP6", Ours.vxlan.remote6 ?? 0, IFLA_VXLAN_GROUP6),
            Pair("IFLA_GENEVE_REMOTE", Ours.geneve.remote ?? 0, IFLA_GENEVE_REMOTE),
            Pair("IFLA_GENEVE_REMOTE6", Ours.geneve.remote6 ?? 0, IFLA_GENEVE_REMOTE6),
            Pair("IFLA_XFRM_LINK", Ours.xfrm.link ?? 0, IFLA_XFRM_LINK),
            Pair("WG_CMD_GET_DEVICE", WireGuard.Command.getDevice, CKernel_WG_CMD_GET_DEVICE),
            Pair("WGDEVICE_A_IFINDEX", WireGuard.Attribute.index, CKernel_WGDEVICE_A_IFINDEX),
            Pair("WGDEVICE_A_FWMARK", WireGuard.Attribute.mark, CKernel_WGDEVICE_A_FWMARK),
            Pair("WGDEVICE_A_PEERS", WireGuard.Attribute.peers, CKernel_WGDEVICE_A_PEERS),
            Pair("WGPEER_A_ENDPOINT", WireGuard.Peer.Attribute.endpoint, CKernel_WGPEER_A_ENDPOINT),
            Pair("WGPEER_A_RX_BYTES", WireGuard.Peer.Attribute.receivedBytes, CKernel_WGPEER_A_RX_BYTES),
            Pair("WGPEER_A_ALLOWEDIPS", WireGuard.Peer.Attribute.allowed, CKernel_WGPEER_A_ALLOWEDIPS),
            Pair("WGALLOWEDIP_A_IPADDR", WireGuard.Peer.AllowedAttribute.address, CKernel_WGALLOWEDIP_A_IPADDR),
            Pair("WGALLOWEDIP_A_CIDR_MASK", WireGuard.Peer.AllowedAttribute.length, CKernel_WGALLOWEDIP_A_CIDR_MASK),
        ])
    }

    @Test func `link flags, states and types`() {
        Self.check([
            Pair("IFF_UP", LinkFlags.up.rawValue, CKernel_IFF_UP),
            Pair("IFF_BROADCAST", LinkFlags.broadcast.rawValue, CKernel_IFF_BROADCAST),
            Pair("IFF_LOOPBACK", LinkFlags.loopback.rawValue, CKernel_IFF_LOOPBACK),
            Pair("IFF_POINTOPOINT", LinkFlags.pointToPoint.rawValue, CKernel_IFF_POINTOPOINT),
            Pair("IFF_RUNNING", LinkFlags.running.rawValue, CKernel_IFF_RUNNING),
            Pair("IFF_NOARP", LinkFlags.noARP.rawValue, CKernel_IFF_NOARP),
            Pair("IFF_MULTICAST", LinkFlags.multicast.rawValue, CKernel_IFF_MULTICAST),
            Pair("IFF_LOWER_UP", LinkFlags.lowerUp.rawValue, CKernel_IFF_LOWER_UP),
            Pair("IFF_DORMANT", LinkFlags.dormant.rawValue, CKernel_IFF_DORMANT),
            Pair("IF_OPER_UNKNOWN", OperationalState.unknown.rawValue, CKernel_IF_OPER_UNKNOWN),
            Pair("IF_OPER_DOWN", OperationalState.down.rawValue, CKernel_IF_OPER_DOWN),
            Pair("IF_OPER_LOWERLAYERDOWN", OperationalState.lowerLayerDown.rawValue, CKernel_IF_OPER_LOWERLAYERDOWN),
            Pair("IF_OPER_DORMANT", OperationalState.dormant.rawValue, CKernel_IF_OPER_DORMANT),
            Pair("IF_OPER_UP", OperationalState.up.rawValue, CKernel_IF_OPER_UP),
            Pair("ARPHRD_ETHER", HardwareType.ethernet.rawValue, CKernel_ARPHRD_ETHER),
            Pair("ARPHRD_PPP", HardwareType.ppp.rawValue, CKernel_ARPHRD_PPP),
            Pair("ARPHRD_RAWIP", HardwareType.rawIP.rawValue, CKernel_ARPHRD_RAWIP),
            Pair("ARPHRD_TUNNEL", HardwareType.tunnel.rawValue, CKernel_ARPHRD_TUNNEL),
            Pair("ARPHRD_LOOPBACK", HardwareType.loopback.rawValue, CKernel_ARPHRD_LOOPBACK),
            Pair("ARPHRD_SIT", HardwareType.sit.rawValue, CKernel_ARPHRD_SIT),
            Pair("ARPHRD_IPGRE", HardwareType.gre.rawValue, CKernel_ARPHRD_IPGRE),
            Pair("ARPHRD_NONE", HardwareType.none.rawValue, CKernel_ARPHRD_NONE),
        ])
    }

    @Test func `settings`() {
        typealias Ours = ConfigurationMessage.Attribute
        Self.check([
            Pair("NETCONFA_IFINDEX", Ours.index.rawValue, NETCONFA_IFINDEX),
            Pair("NETCONFA_FORWARDING", Ours.forwarding.rawValue, NETCONFA_FORWARDING),
            Pair(
                "NETCONFA_IGNORE_ROUTES_WITH_LINKDOWN", Ours.ignoreRoutesWithLinkDown.rawValue,
                NETCONFA_IGNORE_ROUTES_WITH_LINKDOWN),
            Pair("NETCONFA_IFINDEX_ALL", ConfigurationMessage.allLinks, NETCONFA_IFINDEX_ALL),
        ])
    }

    @Test func `address and neighbour constants`() {
        typealias Ours = AddressMessage.Attribute
        Self.check([
            Pair("IFA_ADDRESS", Ours.address.rawValue, IFA_ADDRESS), Pair("IFA_LOCAL", Ours.local.rawValue, IFA_LOCAL),
            Pair("IFA_FLAGS", Ours.flags.rawValue, IFA_FLAGS),
            Pair("IFA_CACHEINFO", Ours.cacheInfo.rawValue, IFA_CACHEINFO),
            Pair("IFA_F_SECONDARY", AddressFlags.secondary.rawValue, IFA_F_SECONDARY),
            Pair("IFA_F_NODAD", AddressFlags.noDuplicateDetection.rawValue, IFA_F_NODAD),
            Pair("IFA_F_OPTIMISTIC", AddressFlags.optimistic.rawValue, IFA_F_OPTIMISTIC),
            Pair("IFA_F_DADFAILED", AddressFlags.duplicateDetected.rawValue, IFA_F_DADFAILED),
            Pair("IFA_F_DEPRECATED", AddressFlags.deprecated.rawValue, IFA_F_DEPRECATED),
            Pair("IFA_F_TENTATIVE", AddressFlags.tentative.rawValue, IFA_F_TENTATIVE),
            Pair("IFA_F_PERMANENT", AddressFlags.permanent.rawValue, IFA_F_PERMANENT),
            Pair("NDA_DST", NeighborMessage.Attribute.destination.rawValue, NDA_DST),
            Pair("NDA_LLADDR", NeighborMessage.Attribute.hardwareAddress.rawValue, NDA_LLADDR),
            Pair("NUD_INCOMPLETE", NeighborState.incomplete.rawValue, NUD_INCOMPLETE),
            Pair("NUD_REACHABLE", NeighborState.reachable.rawValue, NUD_REACHABLE),
            Pair("NUD_STALE", NeighborState.stale.rawValue, NUD_STALE),
            Pair("NUD_DELAY", NeighborState.delay.rawValue, NUD_DELAY),
            Pair("NUD_PROBE", NeighborState.probe.rawValue, NUD_PROBE),
            Pair("NUD_FAILED", NeighborState.failed.rawValue, NUD_FAILED),
            Pair("NUD_NOARP", NeighborState.noARP.rawValue, NUD_NOARP),
            Pair("NUD_PERMANENT", NeighborState.permanent.rawValue, NUD_PERMANENT),
        ])
    }

    @Test func `route and nexthop constants`() {
        typealias Ours = RouteMessage.Attribute
        Self.check([
            Pair("RTA_DST", Ours.destination.rawValue, RTA_DST.rawValue),
            Pair("RTA_SRC", Ours.source.rawValue, RTA_SRC.rawValue),
            Pair("RTA_OIF", Ours.outgoing.rawValue, RTA_OIF.rawValue),
            Pair("RTA_GATEWAY", Ours.gateway.rawValue, RTA_GATEWAY.rawValue),
            Pair("RTA_PRIORITY", Ours.priority.rawValue, RTA_PRIORITY.rawValue),
            Pair("RTA_PREFSRC", Ours.preferredSource.rawValue, RTA_PREFSRC.rawValue),
            Pair("RTA_MULTIPATH", Ours.multipath.rawValue, RTA_MULTIPATH.rawValue),
            Pair("RTA_CACHEINFO", Ours.cacheInfo.rawValue, RTA_CACHEINFO.rawValue),
            Pair("RTA_TABLE", Ours.table.rawValue, RTA_TABLE.rawValue),
            Pair("RTA_VIA", Ours.via.rawValue, RTA_VIA.rawValue),
            Pair("RTA_NH_ID", Ours.nextHopID.rawValue, RTA_NH_ID.rawValue),
            Pair("RTA_MARK", RouteMessage.RequestAttribute.mark, RTA_MARK.rawValue),
            Pair("RTA_EXPIRES", RouteMessage.expiresAttribute, RTA_EXPIRES.rawValue),
            Pair("RTM_F_LOOKUP_TABLE", RouteMessageFlags.lookupTable.rawValue, RTM_F_LOOKUP_TABLE),
            Pair("RTM_F_FIB_MATCH", RouteMessageFlags.fibMatch.rawValue, RTM_F_FIB_MATCH),
            Pair("RTNH_F_DEAD", NextHopFlags.dead.rawValue, RTNH_F_DEAD),
            Pair("RTNH_F_ONLINK", NextHopFlags.onLink.rawValue, RTNH_F_ONLINK),
            Pair("RTNH_F_LINKDOWN", NextHopFlags.linkDown.rawValue, RTNH_F_LINKDOWN),
            Pair("NHA_ID", NextHopObjectMessage.Attribute.id.rawValue, NHA_ID),
            Pair("NHA_GROUP", NextHopObjectMessage.Attribute.group.rawValue, NHA_GROUP),
            Pair("NHA_BLACKHOLE", NextHopObjectMessage.Attribute.blackhole.rawValue, NHA_BLACKHOLE),
            Pair("NHA_OIF", NextHopObjectMessage.Attribute.outgoing.rawValue, NHA_OIF),
            Pair("NHA_GATEWAY", NextHopObjectMessage.Attribute.gateway.rawValue, NHA_GATEWAY),
        ])
    }

    @Test func `route tables, types, scopes and protocols`() {
        Self.check([
            Pair("RT_TABLE_UNSPEC", RouteTable.unspecified.rawValue, RT_TABLE_UNSPEC.rawValue),
            Pair("RT_TABLE_DEFAULT", RouteTable.default.rawValue, RT_TABLE_DEFAULT.rawValue),
            Pair("RT_TABLE_MAIN", RouteTable.main.rawValue, RT_TABLE_MAIN.rawValue),
            Pair("RT_TABLE_LOCAL", RouteTable.local.rawValue, RT_TABLE_LOCAL.rawValue),
            Pair("RTN_UNICAST", RouteType.unicast.rawValue, RTN_UNICAST),
            Pair("RTN_LOCAL", RouteType.local.rawValue, RTN_LOCAL),
            Pair("RTN_BROADCAST", RouteType.broadcast.rawValue, RTN_BROADCAST),
            Pair("RTN_MULTICAST", RouteType.multicast.rawValue, RTN_MULTICAST),
            Pair("RTN_BLACKHOLE", RouteType.blackhole.rawValue, RTN_BLACKHOLE),
            Pair("RTN_UNREACHABLE", RouteType.unreachable.rawValue, RTN_UNREACHABLE),
            Pair("RTN_PROHIBIT", RouteType.prohibit.rawValue, RTN_PROHIBIT),
            Pair("RTN_THROW", RouteType.throw.rawValue, RTN_THROW),
            Pair("RT_SCOPE_UNIVERSE", RouteScope.universe.rawValue, RT_SCOPE_UNIVERSE.rawValue),
            Pair("RT_SCOPE_SITE", RouteScope.site.rawValue, RT_SCOPE_SITE.rawValue),
            Pair("RT_SCOPE_LINK", RouteScope.link.rawValue, RT_SCOPE_LINK.rawValue),
            Pair("RT_SCOPE_HOST", RouteScope.host.rawValue, RT_SCOPE_HOST.rawValue),
            Pair("RT_SCOPE_NOWHERE", RouteScope.nowhere.rawValue, RT_SCOPE_NOWHERE.rawValue),
            Pair("RTPROT_UNSPEC", RouteProtocol.unspecified.rawValue, RTPROT_UNSPEC),
            Pair("RTPROT_KERNEL", RouteProtocol.kernel.rawValue, RTPROT_KERNEL),
            Pair("RTPROT_BOOT", RouteProtocol.boot.rawValue, RTPROT_BOOT),
            Pair("RTPROT_STATIC", RouteProtocol.static.rawValue, RTPROT_STATIC),
            Pair("RTPROT_RA", RouteProtocol.routerAdvertisement.rawValue, RTPROT_RA),
            Pair("RTPROT_DHCP", RouteProtocol.dhcp.rawValue, RTPROT_DHCP),
        ])
    }

    @Test func `rule constants`() {
        typealias Ours = RuleMessage.Attribute
        Self.check([
            Pair("FRA_DST", Ours.destination.rawValue, FRA_DST), Pair("FRA_SRC", Ours.source.rawValue, FRA_SRC),
            Pair("FRA_IIFNAME", Ours.incoming.rawValue, FRA_IIFNAME),
            Pair("FRA_PRIORITY", Ours.priority.rawValue, FRA_PRIORITY),
            Pair("FRA_FWMARK", Ours.mark.rawValue, FRA_FWMARK), Pair("FRA_TABLE", Ours.table.rawValue, FRA_TABLE),
            Pair("FRA_SUPPRESS_IFGROUP", Ours.suppressLinkGroup.rawValue, FRA_SUPPRESS_IFGROUP),
            Pair("FRA_SUPPRESS_PREFIXLEN", Ours.suppressPrefixLength.rawValue, FRA_SUPPRESS_PREFIXLEN),
            Pair("FRA_FWMASK", Ours.mask.rawValue, FRA_FWMASK),
            Pair("FRA_OIFNAME", Ours.outgoing.rawValue, FRA_OIFNAME),
            Pair("FIB_RULE_INVERT", RuleMessage.invertBit, FIB_RULE_INVERT),
            Pair("FR_ACT_TO_TBL", RuleAction.lookup.rawValue, FR_ACT_TO_TBL),
            Pair("FR_ACT_NOP", RuleAction.noOperation.rawValue, FR_ACT_NOP),
            Pair("FR_ACT_BLACKHOLE", RuleAction.blackhole.rawValue, FR_ACT_BLACKHOLE),
            Pair("FR_ACT_UNREACHABLE", RuleAction.unreachable.rawValue, FR_ACT_UNREACHABLE),
            Pair("FR_ACT_PROHIBIT", RuleAction.prohibit.rawValue, FR_ACT_PROHIBIT),
        ])
    }

    @Test func `generic netlink and Wi-Fi constants`() {
        typealias Family = GenericFamily.Attribute
        typealias WiFi = WiFiInterface.Attribute
        Self.check([
            Pair("GENL_ID_CTRL", GenericNetlink.control.rawValue, GENL_ID_CTRL),
            Pair("CTRL_CMD_NEWFAMILY", GenericFamily.Command.newFamily, CTRL_CMD_NEWFAMILY),
            Pair("CTRL_CMD_GETFAMILY", GenericFamily.Command.getFamily, CTRL_CMD_GETFAMILY),
            Pair("CTRL_ATTR_FAMILY_ID", Family.identifier, CTRL_ATTR_FAMILY_ID),
            Pair("CTRL_ATTR_FAMILY_NAME", Family.name, CTRL_ATTR_FAMILY_NAME),
            Pair("CTRL_ATTR_VERSION", Family.version, CTRL_ATTR_VERSION),
            Pair("CTRL_ATTR_MCAST_GROUPS", Family.groups, CTRL_ATTR_MCAST_GROUPS),
            Pair("CTRL_ATTR_MCAST_GRP_NAME", GenericFamily.GroupAttribute.name, CTRL_ATTR_MCAST_GRP_NAME),
            Pair("CTRL_ATTR_MCAST_GRP_ID", GenericFamily.GroupAttribute.identifier, CTRL_ATTR_MCAST_GRP_ID),
            Pair("NL80211_CMD_GET_INTERFACE", WiFiInterface.Command.getInterface, NL80211_CMD_GET_INTERFACE.rawValue),
            Pair("NL80211_CMD_NEW_INTERFACE", WiFiInterface.Command.newInterface, NL80211_CMD_NEW_INTERFACE.rawValue),
            Pair("NL80211_ATTR_WIPHY", WiFi.radio, NL80211_ATTR_WIPHY.rawValue),
            Pair("NL80211_ATTR_IFINDEX", WiFi.index, NL80211_ATTR_IFINDEX.rawValue),
            Pair("NL80211_ATTR_IFNAME", WiFi.name, NL80211_ATTR_IFNAME.rawValue),
            Pair("NL80211_ATTR_IFTYPE", WiFi.type, NL80211_ATTR_IFTYPE.rawValue),
            Pair("NL80211_ATTR_MAC", WiFi.hardwareAddress, NL80211_ATTR_MAC.rawValue),
            Pair("NL80211_ATTR_WIPHY_FREQ", WiFi.frequency, NL80211_ATTR_WIPHY_FREQ.rawValue),
            Pair("NL80211_ATTR_SSID", WiFi.ssid, NL80211_ATTR_SSID.rawValue),
            Pair("NL80211_CMD_GET_STATION", WiFiStation.Command.getStation, NL80211_CMD_GET_STATION.rawValue),
            Pair("NL80211_CMD_NEW_STATION", WiFiStation.Command.newStation, NL80211_CMD_NEW_STATION.rawValue),
            Pair("NL80211_ATTR_STA_INFO", WiFiStation.Attribute.information, NL80211_ATTR_STA_INFO.rawValue),
            Pair("SIGNAL", WiFiStation.Information.signal, NL80211_STA_INFO_SIGNAL.rawValue),
            Pair("SIGNAL_AVG", WiFiStation.Information.averageSignal, NL80211_STA_INFO_SIGNAL_AVG.rawValue),
            Pair("TX_BITRATE", WiFiStation.Information.transmitRate, NL80211_STA_INFO_TX_BITRATE.rawValue),
            Pair("RX_BITRATE", WiFiStation.Information.receiveRate, NL80211_STA_INFO_RX_BITRATE.rawValue),
            Pair("BITRATE", WiFiStation.Rate.short, NL80211_RATE_INFO_BITRATE.rawValue),
            Pair("BITRATE32", WiFiStation.Rate.long, NL80211_RATE_INFO_BITRATE32.rawValue),
            Pair("NL80211_CMD_GET_SCAN", WiFiNetwork.Command.getScan, NL80211_CMD_GET_SCAN.rawValue),
            Pair("NEW_SCAN_RESULTS", WiFiNetwork.Command.newScanResults, NL80211_CMD_NEW_SCAN_RESULTS.rawValue),
            Pair("NL80211_ATTR_BSS", WiFiNetwork.Attribute.network, NL80211_ATTR_BSS.rawValue),
            Pair("BSSID", WiFiNetwork.Network.address, NL80211_BSS_BSSID.rawValue),
            Pair("FREQUENCY", WiFiNetwork.Network.frequency, NL80211_BSS_FREQUENCY.rawValue),
            Pair("ELEMENTS", WiFiNetwork.Network.elements, NL80211_BSS_INFORMATION_ELEMENTS.rawValue),
            Pair("SIGNAL_MBM", WiFiNetwork.Network.signal, NL80211_BSS_SIGNAL_MBM.rawValue),
            Pair("STATUS", WiFiNetwork.Network.status, NL80211_BSS_STATUS.rawValue),
            Pair("BEACON_IES", WiFiNetwork.Network.beaconElements, NL80211_BSS_BEACON_IES.rawValue),
            Pair("ASSOCIATED", WiFiNetwork.Network.associated, NL80211_BSS_STATUS_ASSOCIATED.rawValue),
            Pair("UNSPECIFIED", WiFiInterfaceType.unspecified.rawValue, NL80211_IFTYPE_UNSPECIFIED.rawValue),
            Pair("STATION", WiFiInterfaceType.station.rawValue, NL80211_IFTYPE_STATION.rawValue),
            Pair("AP", WiFiInterfaceType.accessPoint.rawValue, NL80211_IFTYPE_AP.rawValue),
            Pair("MONITOR", WiFiInterfaceType.monitor.rawValue, NL80211_IFTYPE_MONITOR.rawValue),
            Pair("P2P_CLIENT", WiFiInterfaceType.directClient.rawValue, NL80211_IFTYPE_P2P_CLIENT.rawValue),
        ])
        #expect(GenericNetlink.wifiFamilyName == NL80211_GENL_NAME)
    }

    @Test func `socket filter instructions`() {
        Self.check([
            Pair("accept", FilterInstruction.accept.code, BPF_RET | BPF_K),
            Pair("moveToX", FilterInstruction.moveToX.code, BPF_MISC | BPF_TAX),
            Pair("subtractX", FilterInstruction.subtractX.code, BPF_ALU | BPF_SUB | BPF_X),
            Pair("shiftRightX", FilterInstruction.shiftRightX.code, BPF_ALU | BPF_RSH | BPF_X),
            Pair("findAttribute", FilterInstruction.findAttribute.code, BPF_LD | BPF_W | BPF_ABS),
            Pair(
                "SKF_AD_NLATTR", Int32(bitPattern: FilterInstruction.findAttribute.operand), SKF_AD_OFF + SKF_AD_NLATTR),
            Pair("loadByte", FilterInstruction.loadByte(at: 0).code, BPF_LD | BPF_B | BPF_ABS),
            Pair("loadHalf", FilterInstruction.loadHalf(at: 0).code, BPF_LD | BPF_H | BPF_ABS),
            Pair("loadWordIndirect", FilterInstruction.loadWordIndirect(at: 0).code, BPF_LD | BPF_W | BPF_IND),
            Pair("loadConstant", FilterInstruction.loadConstant(0).code, BPF_LD | BPF_IMM),
            Pair("loadXConstant", FilterInstruction.loadXConstant(0).code, BPF_LDX | BPF_IMM),
            Pair("load", FilterInstruction.load(0).code, BPF_LD | BPF_MEM),
            Pair("loadXFromMemory", FilterInstruction.loadXFromMemory(0).code, BPF_LDX | BPF_MEM),
            Pair("store", FilterInstruction.store(0).code, BPF_ST),
            Pair("exclusiveOr", FilterInstruction.exclusiveOr(0).code, BPF_ALU | BPF_XOR | BPF_K),
            Pair("jump", FilterInstruction.jump(0).code, BPF_JMP | BPF_JA),
            Pair(
                "jumpIfEqual", FilterInstruction.jumpIfEqual(0, whenTrue: 0, whenFalse: 0).code,
                BPF_JMP | BPF_JEQ | BPF_K),
            Pair(
                "jumpIfGreater", FilterInstruction.jumpIfGreater(0, whenTrue: 0, whenFalse: 0).code,
                BPF_JMP | BPF_JGT | BPF_K
            ),
        ])
    }
}
#endif
