// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import LibC
public import Netlink
import SystemSupport

/// A virtual link with this program at its other end: tun and tap (the kernel's `Documentation/networking/tuntap.rst`).
///
/// The link has carrier as long as this object exists, and belongs to the network namespace of the thread that creates the
/// object. Creating one needs `CAP_NET_ADMIN`.
///
/// ```swift
/// let tunnel = try Tunnel(name: "tun0", carrying: .packets)
/// ```
public final class Tunnel: Sendable {
    /// The kind of data that a tunnel carries.
    public enum Content: Hashable, Sendable {
        /// IP packets: a tun link (`IFF_TUN`).
        case packets
        /// Ethernet frames: a tap link (`IFF_TAP`).
        case frames

        package var flag: Int16 { self == .packets ? 0x0001 : 0x0002 }
    }

    /// `IFF_NO_PI` (`linux/if_tun.h`): no header before a packet.
    package static let noPacketInformation: Int16 = 0x1000
    /// The maximum size of a packet or frame.
    private static let mostBytes = 65536 + 18

    private let descriptor: Descriptor

    /// Creates a tunnel link that is deleted with this object, or attaches to a persistent one.
    ///
    /// - Throws: `system` with `notPermitted`, with `noSuchEntry` where the system has no `/dev/net/tun`,
    ///   with errno 16 (busy) when another program is attached to the link.
    public init(name: String, carrying content: Content) throws(NetlinkError) {
        try RouteNetlink.check(name: name)
        let descriptor = try LabCall.openFile("/dev/net/tun", flags: O_RDWR | O_NONBLOCK)
        try LabCall.attachTun(descriptor, name: name, flags: content.flag | Self.noPacketInformation)
        self.descriptor = descriptor
    }

    /// Creates a tunnel link that stays, with no program attached, until it is deleted like any other link.
    ///
    /// It has no carrier until a `Tunnel` attaches to it.
    ///
    /// - Throws: as `init(name:carrying:)`.
    public static func createPersistentLink(name: String, carrying content: Content) throws(NetlinkError) {
        try LabCall.setTunPersistent(Tunnel(name: name, carrying: content).descriptor)
    }

    /// The next packet or frame that the system sent into the link; nil when none is queued.
    public func nextPacket() throws(NetlinkError) -> [UInt8]? {
        do {
            return try LabCall.readBytes(descriptor, most: Self.mostBytes)
        } catch let error {
            if error.errno == .wouldBlock { return nil }
            throw error
        }
    }

    /// Passes a packet or frame to the system as if it had arrived on the link.
    ///
    /// - Throws: `system` with errno 5 (input/output error) while the link is off.
    public func send(_ packet: [UInt8]) throws(NetlinkError) {
        try LabCall.writeBytes(descriptor, packet)
    }

    /// The descriptor's number, for poll(2).
    ///
    /// It stays valid as long as this object exists.
    public var descriptorNumber: Int32 { descriptor.number }
}
#endif
