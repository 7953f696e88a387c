// SPDX-License-Identifier: Apache-2.0

import LibC
package import NetworkModel

#if !canImport(Darwin)
import CLinux
#endif

extension Sockets {
    /// A packet of ICMP by which a router or a host reports that a datagram did not arrive.
    ///
    /// The kernel also makes such packets itself, with an address of this machine as their sender, if the next hop does not
    /// answer.
    package struct ReportedError: Hashable, Sendable {
        /// The type (RFC 792, RFC 4443).
        package let type: UInt8
        package let code: UInt8
        package let sender: NetworkAddress

        package init(type: UInt8, code: UInt8, sender: NetworkAddress) {
            self.type = type
            self.code = code
            self.sender = sender
        }
    }

    /// Makes the kernel queue the errors that routers and hosts report for the socket's datagrams: `IP_RECVERR` (ip(7)).
    ///
    /// It has no effect on Apple platforms.
    package static func queueErrors(of descriptor: Descriptor, _ version: IPVersion) throws(SystemError) {
        #if !canImport(Darwin)
        let isIPv4 = version == .ipv4
        try setOption(descriptor, Int32(isIPv4 ? IPPROTO_IP : IPPROTO_IPV6), isIPv4 ? IP_RECVERR : IPV6_RECVERR, 1)
        #endif
    }

    /// Removes the next error from the queue; nil if it is empty.
    ///
    /// Errors that no packet reported are skipped.
    package static func nextReportedError(_ descriptor: Descriptor) -> ReportedError? {
        #if canImport(Darwin)
        return nil
        #else
        var error = CLinux_QueuedError()
        while unsafe CLinux_receiveError(descriptor.number, &error) == 0 {
            let bytes = unsafe withUnsafeBytes(of: error.offender) {
                unsafe Array($0.prefix(Int(error.offenderLength)))
            }
            // SO_EE_ORIGIN_ICMP and SO_EE_ORIGIN_ICMP6.
            guard [2, 3].contains(error.origin), let sender = NetworkAddress(bytes: bytes, scope: error.scope) else {
                continue
            }
            return ReportedError(type: error.type, code: error.code, sender: sender)
        }
        return nil
        #endif
    }

    /// Limits the number of routers that forward the socket's packets; the next one reports that the time is exceeded.
    package static func limitHops(
        of descriptor: Descriptor, _ version: IPVersion, to count: Int32
    ) throws(SystemError) {
        let isIPv4 = version == .ipv4
        try setOption(descriptor, Int32(isIPv4 ? IPPROTO_IP : IPPROTO_IPV6), isIPv4 ? IP_TTL : IPV6_UNICAST_HOPS, count)
    }

    /// Opens a socket for ICMP echo requests, which Linux allows to the groups of `ping_group_range` (icmp(7)).
    package static func openEchoSocket(_ version: IPVersion) throws(SystemError) -> Descriptor {
        try openSocket(version, .datagram, protocol: Int32(version == .ipv4 ? IPPROTO_ICMP : IPPROTO_ICMPV6))
    }
}
