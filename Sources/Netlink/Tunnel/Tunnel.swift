//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A virtual link with this program at its other end: tun and tap (the kernel's `Documentation/networking/tuntap.rst`).
///
/// The link has carrier as long as this object lives, and belongs to the network namespace of the thread that makes the
/// object. Making one needs `CAP_NET_ADMIN`.
///
/// ```swift
/// let tunnel = try Tunnel(name: "tun0", carrying: .packets)
/// ```
public final class Tunnel: Sendable {
    /// What a tunnel carries.
    public enum Content: Hashable, Sendable {
        /// Bare IP packets: a tun link (`IFF_TUN`).
        case packets
        /// Ethernet frames: a tap link (`IFF_TAP`).
        case frames

        var flag: Int16 { self == .packets ? 0x0001 : 0x0002 }
    }

    /// `IFF_NO_PI` (`linux/if_tun.h`): nothing is put in front of a packet.
    static let noPacketInformation: Int16 = 0x1000
    /// The most that a packet or frame can have.
    private static let mostBytes = 65536 + 18

    private let descriptor: Descriptor

    /// Creates a tunnel link that goes away with this object, or takes the free end of a persistent one.
    ///
    /// - Throws: `system` with `notPermitted`, with `noSuchEntry` where the system has no `/dev/net/tun`,
    ///   with errno 16 (busy) when a program holds that link already.
    public init(name: String, carrying content: Content) throws(NetlinkError) {
        try RouteNetlink.check(name: name)
        let descriptor = try Syscall.openFile("/dev/net/tun", flags: O_RDWR | O_NONBLOCK)
        try Syscall.attachTun(descriptor, name: name, flags: content.flag | Self.noPacketInformation)
        self.descriptor = descriptor
    }

    /// Creates a tunnel link that stays, without anyone at its other end, until it is deleted as other links are.
    ///
    /// It has no carrier until a `Tunnel` takes its free end.
    ///
    /// - Throws: as `init(name:carrying:)`.
    public static func createPersistentLink(name: String, carrying content: Content) throws(NetlinkError) {
        try Syscall.setTunPersistent(Tunnel(name: name, carrying: content).descriptor)
    }

    /// The next packet or frame that the system sent into the link; nil when there is none now.
    public func nextPacket() throws(NetlinkError) -> [UInt8]? {
        do {
            return try Syscall.readBytes(descriptor, most: Self.mostBytes)
        } catch let error {
            if error.errno == .wouldBlock { return nil }
            throw error
        }
    }

    /// Hands the system a packet or frame as if it came in by the link.
    ///
    /// - Throws: `system` with errno 5 (input/output error) while the link is off.
    public func send(_ packet: [UInt8]) throws(NetlinkError) {
        try Syscall.writeBytes(descriptor, packet)
    }

    /// The descriptor's number, for poll(2).
    ///
    /// It stays valid as long as this object.
    public var descriptorNumber: Int32 { descriptor.number }
}
#endif
