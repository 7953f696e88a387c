// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CKernelConstants
import CLinux
import Glibc
@testable import Netlink
import NetlinkTesting
import Testing

/// Compares each of our constants with the kernel's headers.
struct ConstantTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let name: String
        let ours: Int
        let kernels: Int

        init(_ name: String, _ ours: some BinaryInteger, _ kernels: some BinaryInteger) {
            self.name = name
            self.ours = Int(truncatingIfNeeded: ours)
            self.kernels = Int(truncatingIfNeeded: kernels)
        }

        var testDescription: String { name }
    }

    static func check(_ pairs: [Pair], sourceLocation: SourceLocation = #_sourceLocation) {
        for pair in pairs {
            #expect(pair.ours == pair.kernels, "\(pair.name)", sourceLocation: sourceLocation)
        }
    }

    @Test func `message types and flags`() {
        Self.check([
            Pair("NLMSG_NOOP", MessageType.noOperation.rawValue, NLMSG_NOOP),
            Pair("NLMSG_ERROR", MessageType.error.rawValue, NLMSG_ERROR),
            Pair("NLMSG_DONE", MessageType.done.rawValue, NLMSG_DONE),
            Pair("NLMSG_OVERRUN", MessageType.overrun.rawValue, NLMSG_OVERRUN),
            Pair("RTM_NEWLINK", MessageType.newLink.rawValue, RTM_NEWLINK),
            Pair("RTM_DELLINK", MessageType.deleteLink.rawValue, RTM_DELLINK),
            Pair("RTM_GETLINK", MessageType.getLink.rawValue, RTM_GETLINK),
            Pair("RTM_SETLINK", MessageType.setLink.rawValue, RTM_SETLINK),
            Pair("RTM_NEWADDR", MessageType.newAddress.rawValue, RTM_NEWADDR),
            Pair("RTM_DELADDR", MessageType.deleteAddress.rawValue, RTM_DELADDR),
            Pair("RTM_GETADDR", MessageType.getAddress.rawValue, RTM_GETADDR),
            Pair("RTM_NEWROUTE", MessageType.newRoute.rawValue, RTM_NEWROUTE),
            Pair("RTM_DELROUTE", MessageType.deleteRoute.rawValue, RTM_DELROUTE),
            Pair("RTM_GETROUTE", MessageType.getRoute.rawValue, RTM_GETROUTE),
            Pair("RTM_NEWNEIGH", MessageType.newNeighbor.rawValue, RTM_NEWNEIGH),
            Pair("RTM_DELNEIGH", MessageType.deleteNeighbor.rawValue, RTM_DELNEIGH),
            Pair("RTM_GETNEIGH", MessageType.getNeighbor.rawValue, RTM_GETNEIGH),
            Pair("RTM_NEWRULE", MessageType.newRule.rawValue, RTM_NEWRULE),
            Pair("RTM_DELRULE", MessageType.deleteRule.rawValue, RTM_DELRULE),
            Pair("RTM_GETRULE", MessageType.getRule.rawValue, RTM_GETRULE),
            Pair("RTM_NEWNETCONF", MessageType.newConfiguration.rawValue, RTM_NEWNETCONF),
            Pair("RTM_DELNETCONF", MessageType.deleteConfiguration.rawValue, RTM_DELNETCONF),
            Pair("RTM_GETNETCONF", MessageType.getConfiguration.rawValue, RTM_GETNETCONF),
            Pair("RTM_NEWNEXTHOP", MessageType.newNextHop.rawValue, RTM_NEWNEXTHOP),
            Pair("RTM_DELNEXTHOP", MessageType.deleteNextHop.rawValue, RTM_DELNEXTHOP),
            Pair("RTM_GETNEXTHOP", MessageType.getNextHop.rawValue, RTM_GETNEXTHOP),
            Pair("NLM_F_REQUEST", MessageFlags.request.rawValue, NLM_F_REQUEST),
            Pair("NLM_F_MULTI", MessageFlags.multipart.rawValue, NLM_F_MULTI),
            Pair("NLM_F_ACK", MessageFlags.acknowledge.rawValue, NLM_F_ACK),
            Pair("NLM_F_DUMP_INTR", MessageFlags.dumpInterrupted.rawValue, NLM_F_DUMP_INTR),
            Pair("NLM_F_DUMP", MessageFlags.dump.rawValue, NLM_F_ROOT | NLM_F_MATCH),
            Pair("NLM_F_REPLACE", MessageFlags.replace.rawValue, NLM_F_REPLACE),
            Pair("NLM_F_EXCL", MessageFlags.exclusive.rawValue, NLM_F_EXCL),
            Pair("NLM_F_CREATE", MessageFlags.create.rawValue, NLM_F_CREATE),
            Pair("NLM_F_APPEND", MessageFlags.append.rawValue, NLM_F_APPEND),
            Pair("NLM_F_CAPPED", MessageFlags.capped.rawValue, NLM_F_CAPPED),
            Pair("NLM_F_ACK_TLVS", MessageFlags.acknowledgementAttributes.rawValue, NLM_F_ACK_TLVS),
            Pair("NLMSGERR_ATTR_MSG", Answers.messageAttribute, NLMSGERR_ATTR_MSG.rawValue),
        ])
    }

    @Test func `socket options and groups`() {
        Self.check([
            Pair("NETLINK_ROUTE", NetlinkSocket.Family.route.rawValue, NETLINK_ROUTE),
            Pair("NETLINK_GENERIC", NetlinkSocket.Family.generic.rawValue, NETLINK_GENERIC),
            Pair("SOL_NETLINK", NetlinkSocket.Option.level, 270),
            Pair("SOL_SOCKET", NetlinkSocket.Option.socketLevel, SOL_SOCKET),
            Pair("NETLINK_ADD_MEMBERSHIP", NetlinkSocket.Option.addMembership.rawValue, NETLINK_ADD_MEMBERSHIP),
            Pair("NETLINK_CAP_ACK", NetlinkSocket.Option.cappedAcknowledgement.rawValue, NETLINK_CAP_ACK),
            Pair("NETLINK_EXT_ACK", NetlinkSocket.Option.extendedAcknowledgement.rawValue, NETLINK_EXT_ACK),
            Pair("NETLINK_GET_STRICT_CHK", NetlinkSocket.Option.strictChecking.rawValue, NETLINK_GET_STRICT_CHK),
            Pair("SO_RCVBUF", NetlinkSocket.Option.receiveBuffer.rawValue, SO_RCVBUF),
            Pair("SO_RCVBUFFORCE", NetlinkSocket.Option.forceReceiveBuffer.rawValue, SO_RCVBUFFORCE),
            Pair("SO_DETACH_FILTER", NetlinkSocket.Option.detachFilter.rawValue, SO_DETACH_FILTER),
            Pair("RTNLGRP_LINK", MulticastGroup.link.rawValue, RTNLGRP_LINK.rawValue),
            Pair("RTNLGRP_NEIGH", MulticastGroup.neighbor.rawValue, RTNLGRP_NEIGH.rawValue),
            Pair("RTNLGRP_IPV4_IFADDR", MulticastGroup.ipv4Address.rawValue, RTNLGRP_IPV4_IFADDR.rawValue),
            Pair("RTNLGRP_IPV4_ROUTE", MulticastGroup.ipv4Route.rawValue, RTNLGRP_IPV4_ROUTE.rawValue),
            Pair("RTNLGRP_IPV4_RULE", MulticastGroup.ipv4Rule.rawValue, RTNLGRP_IPV4_RULE.rawValue),
            Pair("RTNLGRP_IPV6_IFADDR", MulticastGroup.ipv6Address.rawValue, RTNLGRP_IPV6_IFADDR.rawValue),
            Pair("RTNLGRP_IPV6_ROUTE", MulticastGroup.ipv6Route.rawValue, RTNLGRP_IPV6_ROUTE.rawValue),
            Pair("RTNLGRP_IPV6_RULE", MulticastGroup.ipv6Rule.rawValue, RTNLGRP_IPV6_RULE.rawValue),
            Pair(
                "RTNLGRP_IPV4_NETCONF", MulticastGroup.ipv4Configuration.rawValue, RTNLGRP_IPV4_NETCONF.rawValue),
            Pair(
                "RTNLGRP_IPV6_NETCONF", MulticastGroup.ipv6Configuration.rawValue, RTNLGRP_IPV6_NETCONF.rawValue),
            Pair("RTNLGRP_NEXTHOP", MulticastGroup.nextHop.rawValue, RTNLGRP_NEXTHOP.rawValue),
            Pair("AF_INET", AddressFamily.ipv4.rawValue, AF_INET),
            Pair("AF_INET6", AddressFamily.ipv6.rawValue, AF_INET6),
            Pair("AF_BRIDGE", AddressFamily.bridge.rawValue, AF_BRIDGE),
            Pair("AF_UNSPEC", AddressFamily.unspecified.rawValue, AF_UNSPEC),
        ])
    }

    @Test func `error numbers`() {
        Self.check([
            Pair("EPERM", NetlinkError.Errno.notPermitted.rawValue, EPERM),
            Pair("ENOENT", NetlinkError.Errno.noSuchEntry.rawValue, ENOENT),
            Pair("EINTR", NetlinkError.Errno.interrupted.rawValue, EINTR),
            Pair("EAGAIN", NetlinkError.Errno.wouldBlock.rawValue, EAGAIN),
            Pair("ENOMEM", NetlinkError.Errno.noMemory.rawValue, ENOMEM),
            Pair("EACCES", NetlinkError.Errno.permissionDenied.rawValue, EACCES),
            Pair("EEXIST", NetlinkError.Errno.exists.rawValue, EEXIST),
            Pair("ENODEV", NetlinkError.Errno.noSuchDevice.rawValue, ENODEV),
            Pair("EINVAL", NetlinkError.Errno.invalidArgument.rawValue, EINVAL),
            Pair("EMFILE", NetlinkError.Errno.tooManyOpenFiles.rawValue, EMFILE),
            Pair("EOPNOTSUPP", NetlinkError.Errno.notSupported.rawValue, EOPNOTSUPP),
            Pair("ENOSYS", NetlinkError.Errno.noSuchCall.rawValue, ENOSYS),
            Pair("EAFNOSUPPORT", NetlinkError.Errno.addressFamilyNotSupported.rawValue, EAFNOSUPPORT),
            Pair("ENETUNREACH", NetlinkError.Errno.networkUnreachable.rawValue, ENETUNREACH),
            Pair("ENOBUFS", NetlinkError.Errno.noBufferSpace.rawValue, ENOBUFS),
            Pair("EHOSTUNREACH", NetlinkError.Errno.hostUnreachable.rawValue, EHOSTUNREACH),
        ])
    }

    @Test func `sizes of the fixed parts`() {
        Self.check([
            Pair("nlmsghdr", MessageHeader.size, MemoryLayout<nlmsghdr>.size),
            Pair("ifinfomsg", LinkMessage.headerSize, MemoryLayout<ifinfomsg>.size),
            Pair("ifaddrmsg", AddressMessage.headerSize, MemoryLayout<ifaddrmsg>.size),
            Pair("rtmsg", RouteMessage.headerSize, MemoryLayout<rtmsg>.size),
            Pair("fib_rule_hdr", RuleMessage.headerSize, MemoryLayout<fib_rule_hdr>.size),
            Pair("nhmsg", NextHopObjectMessage.headerSize, MemoryLayout<nhmsg>.size),
            Pair("ndmsg", NeighborMessage.headerSize, MemoryLayout<ndmsg>.size),
            Pair("netconfmsg", ConfigurationMessage.headerSize, (MemoryLayout<netconfmsg>.size + 3) & ~3),
            Pair("genlmsghdr", GenericHeader.size, MemoryLayout<genlmsghdr>.size),
            Pair("rtnexthop", 8, MemoryLayout<rtnexthop>.size),
            Pair("nexthop_grp", 8, MemoryLayout<nexthop_grp>.size),
            Pair("ifa_cacheinfo", 16, MemoryLayout<ifa_cacheinfo>.size),
            Pair("sock_filter", MemoryLayout<CLinux_FilterInstruction>.size, MemoryLayout<sock_filter>.size),
        ])
    }
}
#endif
