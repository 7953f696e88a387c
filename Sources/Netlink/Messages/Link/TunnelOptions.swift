// SPDX-License-Identifier: Apache-2.0

/// A tunnel's options inside `IFLA_INFO_DATA`, which determine where its packets go (`linux/if_tunnel.h`,
/// `linux/if_link.h`).
///
/// A property is nil where the tunnel leaves it open: the remote end of a multipoint tunnel, a link that routing chooses.
public struct TunnelOptions: Hashable, Sendable {
    /// The address of the remote end; for a VXLAN possibly a multicast group.
    public var remote: NetworkAddress?
    /// The source address of its packets.
    public var local: NetworkAddress?
    /// The link through which its packets must leave.
    public var link: Int32?
    /// The firewall mark of its packets.
    public var mark: UInt32?
}

extension TunnelOptions {
    /// Reads a link's `IFLA_INFO_DATA`; nil for a kind of link that has no such options.
    ///
    /// - Throws: `truncated` or `malformed`.
    init?(kind: String, _ data: RawSpan) throws(NetlinkError) {
        guard let numbers = Numbers(kind: kind) else { return nil }
        self.init()
        try data.forEachAttribute { (type, value) throws(NetlinkError) in
            switch type {
            case numbers.link:
                let index = try value.exactly(Int32.self)
                link = index == 0 ? nil : index
            case numbers.mark:
                let number = try value.exactly(UInt32.self)
                mark = number == 0 ? nil : number
            case numbers.local, numbers.local6: local = try Self.address(value) ?? local
            case numbers.remote, numbers.remote6: remote = try Self.address(value) ?? remote
            default: break
            }
        }
    }

    /// The address that fills an attribute; nil for the all-zero one, which means any address, and for an invalid length.
    private static func address(_ value: RawSpan) throws(NetlinkError) -> NetworkAddress? {
        guard value.byteCount == 4 || value.byteCount == 16 else { return nil }
        let address = try value.address(value.byteCount == 4 ? .ipv4 : .ipv6)
        return address.isUnspecified ? nil : address
    }

    /// The numbers of the attributes, which differ by kind; nil where a kind does not have the attribute.
    struct Numbers: Hashable {
        var link: UInt16?
        var local: UInt16?
        var local6: UInt16?
        var remote: UInt16?
        var remote6: UInt16?
        var mark: UInt16?

        /// `IFLA_IPTUN_…`.
        static let ip = Self(link: 1, local: 2, remote: 3, mark: 20)
        /// `IFLA_GRE_…`.
        static let gre = Self(link: 1, local: 6, remote: 7, mark: 20)
        /// `IFLA_VTI_…`.
        static let vti = Self(link: 1, local: 4, remote: 5, mark: 6)
        /// `IFLA_VXLAN_…`.
        static let vxlan = Self(link: 3, local: 4, local6: 17, remote: 2, remote6: 16)
        /// `IFLA_GENEVE_…`.
        static let geneve = Self(remote: 2, remote6: 7)
        /// `IFLA_XFRM_…`: the remote end is in IPsec's own tables.
        static let xfrm = Self(link: 1)
    }
}

extension TunnelOptions.Numbers {
    init?(kind: String) {
        switch kind {
        case "ipip", "sit", "ip6tnl": self = .ip
        case "gre", "gretap", "erspan", "ip6gre", "ip6gretap", "ip6erspan": self = .gre
        case "vti", "vti6": self = .vti
        case "vxlan": self = .vxlan
        case "geneve": self = .geneve
        case "xfrm": self = .xfrm
        default: return nil
        }
    }
}
