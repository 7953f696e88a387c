// SPDX-License-Identifier: Apache-2.0

/// A WireGuard link's peers and their endpoints: the answer to `WG_CMD_GET_DEVICE` (`linux/wireguard.h`).
///
/// Keys are not kept.
public struct WireGuardDevice: Hashable, Sendable {
    /// A peer.
    public struct Peer: Hashable, Sendable {
        /// The address that its packets are sent to now; nil while it is unknown.
        public var endpoint: NetworkAddress?
        /// The addresses that are behind the peer.
        public var allowed: [NetworkPrefix]
        /// Whether the addresses are the rest of those of the last peer, as parsed from a message.
        fileprivate var isContinuation = false

        /// Creates a peer.
        public init(endpoint: NetworkAddress? = nil, allowed: [NetworkPrefix] = []) {
            self.endpoint = endpoint
            self.allowed = allowed
        }
    }

    /// The link's number.
    public var index: Int32
    /// The firewall mark of its packets.
    public var mark: UInt32?
    /// Its peers.
    public var peers: [Peer] = []

    /// The endpoint of the peer for a packet to an address: the peer with the longest prefix that contains the address.
    ///
    /// Nil when there is no such peer, or its endpoint is unknown.
    public func endpoint(for destination: NetworkAddress) -> NetworkAddress? {
        var best: (length: Int, endpoint: NetworkAddress?) = (-1, nil)
        for peer in peers {
            for prefix in peer.allowed where prefix.contains(destination) && Int(prefix.length) > best.length {
                best = (Int(prefix.length), peer.endpoint)
            }
        }
        return best.endpoint
    }
}

extension WireGuardDevice {
    /// Reads a message's payload; nil for another command, or for a message without a link.
    ///
    /// A device with many peers, or with many addresses behind one, is sent in several messages: see `append(_:)`.
    ///
    /// - Throws: `truncated` or `malformed`.
    init?(_ payload: RawSpan) throws(NetlinkError) {
        guard try GenericHeader(payload).command == Command.getDevice else { return nil }
        var index: Int32?
        self.init(index: 0)
        try payload.forEachAttribute(from: GenericHeader.size) { (attribute, value) throws(NetlinkError) in
            switch attribute {
            case Attribute.index: index = try value.exactly(Int32.self)
            case Attribute.mark:
                let number = try value.exactly(UInt32.self)
                mark = number == 0 ? nil : number
            case Attribute.peers:
                try value.forEachAttribute { (_, peer) throws(NetlinkError) in peers.append(try Peer(peer)) }
            default: break
            }
        }
        guard let index else { return nil }
        self.index = index
    }

    /// Adds the peers of a further message.
    mutating func append(_ more: WireGuardDevice) {
        var further = more.peers[...]
        if !peers.isEmpty, let rest = further.first, rest.isContinuation {
            peers[peers.count - 1].allowed += rest.allowed
            further.removeFirst()
        }
        peers += further
        mark = mark ?? more.mark
    }

    /// `WG_CMD_…`.
    enum Command {
        static let getDevice: UInt8 = 0
    }

    /// `WGDEVICE_A_…`.
    enum Attribute {
        static let index: UInt16 = 1
        static let mark: UInt16 = 7
        static let peers: UInt16 = 8
    }
}

extension WireGuardDevice.Peer {
    fileprivate init(_ peer: RawSpan) throws(NetlinkError) {
        self.init()
        isContinuation = true
        try peer.forEachAttribute { (attribute, value) throws(NetlinkError) in
            switch attribute {
            case Attribute.endpoint: endpoint = try Self.endpoint(value)
            // Only the first part of a peer has it.
            case Attribute.receivedBytes: isContinuation = false
            case Attribute.allowed:
                try value.forEachAttribute { (_, entry) throws(NetlinkError) in
                    if let prefix = try Self.prefix(entry) { allowed.append(prefix) }
                }
            default: break
            }
        }
    }

    /// The address in a `struct sockaddr_in` or `sockaddr_in6`; nil for another family.
    private static func endpoint(_ value: RawSpan) throws(NetlinkError) -> NetworkAddress? {
        let family = AddressFamily(rawValue: UInt8(truncatingIfNeeded: try value.integer(at: 0, as: UInt16.self)))
        let offset = family == .ipv4 ? 4 : 8
        guard family.version != nil, value.byteCount >= offset else { return nil }
        return try value.extracting(droppingFirst: offset).address(family)
    }

    private static func prefix(_ entry: RawSpan) throws(NetlinkError) -> NetworkPrefix? {
        var address: NetworkAddress?
        var length: UInt8?
        try entry.forEachAttribute { (attribute, value) throws(NetlinkError) in
            switch attribute {
            // The family is in another attribute, and follows from the size.
            case AllowedAttribute.address: address = try value.address(value.byteCount == 4 ? .ipv4 : .ipv6)
            case AllowedAttribute.length: length = try value.exactly(UInt8.self)
            default: break
            }
        }
        guard let address, let length else { return nil }
        return NetworkPrefix(address, length: length)
    }

    /// `WGPEER_A_…`.
    enum Attribute {
        static let endpoint: UInt16 = 4
        static let receivedBytes: UInt16 = 7
        static let allowed: UInt16 = 9
    }

    /// `WGALLOWEDIP_A_…`.
    enum AllowedAttribute {
        static let address: UInt16 = 2
        static let length: UInt16 = 3
    }
}

#if os(Linux) || os(Android)
extension GenericNetlink {
    /// The name of the WireGuard family: `WG_GENL_NAME`.
    static let wireGuardFamilyName = "wireguard"

    /// A WireGuard link's peers; nil when the link is not a WireGuard link, or does not exist.
    ///
    /// The kernel answers only the administrator, and its answer includes the keys: they are wiped from memory, and not kept.
    ///
    /// - Throws: `kernel` with `notPermitted` without `CAP_NET_ADMIN`.
    public mutating func wireGuardDevice(_ index: Int32) throws(NetlinkError) -> WireGuardDevice? {
        guard let family = try wireGuardFamily() else { return nil }
        defer { wipe() }
        var device: WireGuardDevice?
        do {
            for part in try dump(
                family, command: WireGuardDevice.Command.getDevice, "WG_CMD_GET_DEVICE",
                write: { $0.attribute(WireGuardDevice.Attribute.index, UInt32(bitPattern: index)) },
                read: { (payload) throws(NetlinkError) in try WireGuardDevice(payload) })
            {
                if device == nil { device = part } else { device?.append(part) }
            }
        } catch let error {
            let absences: [NetlinkError.Errno] = [.noSuchDevice, .notSupported]
            guard error.code == .kernel, let number = error.errno, absences.contains(number) else { throw error }
        }
        return device
    }
}
#endif
