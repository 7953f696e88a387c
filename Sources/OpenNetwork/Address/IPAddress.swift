// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import FoundationEssentials
import NetworkModel
import SystemSupport

/// The common interface of IPv4 and IPv6 addresses.
///
/// Mirrors Apple's `IPAddress`.
public protocol IPAddress: Sendable {
    /// The bytes of the address in network order: four for IPv4, sixteen for IPv6.
    var rawValue: Data { get }

    /// Creates an address from its bytes in network order, or `nil` if their number does not fit the family.
    init?(_ rawValue: Data, _ interface: NWInterface?)

    /// Creates an address from a literal, or `nil` if the text is anything else.
    ///
    /// A trailing `%` and interface name scope the address to that interface; an interface that does not exist makes
    /// the literal invalid. Names are never resolved.
    init?(_ string: String)

    /// The interface that the address is scoped to, if any.
    var interface: NWInterface? { get }

    /// Whether this is the family's loopback address.
    var isLoopback: Bool { get }

    /// Whether the address is only meaningful on one link.
    var isLinkLocal: Bool { get }

    /// Whether the address names a multicast group.
    var isMulticast: Bool { get }
}

/// An address literal split at its last `%`: `fe80::1%eth0` is `fe80::1` in the zone `eth0`.
struct AddressLiteral {
    /// The text before the zone, or all of it without a zone.
    let body: Substring

    /// The text after the last `%`; nil if there is no `%`.
    let zone: Substring?

    init(_ text: String) {
        if let percent = text.utf8.lastIndex(of: UInt8(ascii: "%")) {
            body = text[..<percent]
            zone = text[text.utf8.index(after: percent)...]
        } else {
            body = text[...]
            zone = nil
        }
    }

    /// The literal as an IPv4 address; its zone can only be an interface name.
    var ipv4: IPv4Address? {
        guard let address = NetworkAddress(lenientIPv4: body) else { return nil }
        let bits = UInt32(truncatingIfNeeded: address.bits.low)
        guard zone != nil else { return IPv4Address(bits: bits) }
        return namedInterface.map { IPv4Address(bits: bits, interface: $0) }
    }

    /// The literal as an IPv6 address; its zone is an interface name or, as RFC 4007 allows, an interface index.
    var ipv6: IPv6Address? {
        guard let bits = SystemNames.ipv6Bits(body) else { return nil }
        guard zone != nil else { return IPv6Address(bits: bits) }
        return (namedInterface ?? numberedInterface).map { IPv6Address(bits: bits, interface: $0) }
    }

    /// The interface that the zone names, if it exists.
    var namedInterface: NWInterface? {
        zone.flatMap { NWInterface(String($0)) }
    }

    private var numberedInterface: NWInterface? {
        zone.flatMap { $0.isDecimal ? Int($0) : nil }.flatMap { NWInterface($0) }
    }
}

extension String {
    /// Returns this text with a scope in the framework's format: followed by `%` and the interface's name.
    func scoped(to interface: NWInterface?) -> String {
        guard let interface else { return self }
        return "\(self)%\(interface.name)"
    }
}

#endif
