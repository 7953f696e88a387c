// SPDX-License-Identifier: Apache-2.0

/// Why there is no path, in more detail than Apple's `unsatisfiedReason`, and on which interface.
public struct PathDiagnosis: Hashable, Sendable {
    /// The causes, from the nearest to this host to the farthest.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// There is no network interface except loopback, or none that the filter allows.
        case noInterface
        /// Every interface is switched off.
        case allDown
        /// The radio is switched off (rfkill), and nothing else is on.
        case radioOff
        /// An interface is on, but nothing is connected to it.
        case noCarrier
        /// A link exists but waits for something, such as authentication or dialing.
        case dormant
        /// A link is connected, but has no usable address.
        case noAddress
        /// The address is still being checked for duplicates (RFC 4862).
        case addressTentative
        /// There is an address, but no route to the Internet.
        case noRoute
        /// A route or rule rejects packets explicitly.
        case routeUnreachable
    }

    /// The cause.
    public var reason: Reason
    /// The interface concerned, if there is exactly one.
    public var interface: NetworkPath.Interface?
    /// The filter that excludes every interface of this machine, for `noInterface`; nil without a filter.
    public var filter: PathFilter?
    /// The private address of another link with which packets leave, for `noAddress`; nil if they cannot leave.
    ///
    /// Only a check shows whether answers to it come back: a router of a site may have a route to it, whereas a
    /// container bridge's address is known to this machine alone.
    public var borrowedAddress: NetworkAddress?

    /// Creates a diagnosis.
    public init(_ reason: Reason, interface: NetworkPath.Interface? = nil, filter: PathFilter? = nil) {
        self.reason = reason
        self.interface = interface
        self.filter = filter
    }
}

extension PathDiagnosis: CustomStringConvertible {
    /// One or two sentences for a user: the problem and, if it helps, what to check.
    public var description: String {
        let name = interface?.name
        switch reason {
        case .noInterface:
            return "This machine has no \(filter.map(Self.wanted) ?? "network interface except loopback")."
        case .allDown: return name.map { "\($0) is switched off." } ?? "Every network interface is switched off."
        case .radioOff:
            let radio = interface?.type == .cellular ? "The modem" : "Wi-Fi"
            return "\(radio) is switched off (rfkill): check airplane mode and this machine's wireless switch or key."
        case .noCarrier: return noCarrier(name)
        case .dormant: return "\(name ?? "The link") is not authenticated: check the password or login."
        case .noAddress:
            let hint = "check the router's DHCP."
            guard let name else { return "No interface has an address: \(hint)" }
            guard let borrowedAddress else { return "\(name) has no address: \(hint)" }
            return "\(name) has no address of its own, and uses \(borrowedAddress): \(hint)"
        case .addressTentative:
            return "The address on \(name ?? "the interface") is still being checked; this takes a second or two."
        case .noRoute: return "There is an address, but no route to the Internet: check that a gateway is set."
        case .routeUnreachable: return "A routing rule on this machine blocks outgoing traffic (VPN kill switch?)."
        }
    }

    private static func wanted(_ filter: PathFilter) -> String {
        if let name = filter.interfaceName { return "interface named \(name)" }
        guard let type = filter.requiredType, !filter.prohibited.contains(type) else {
            return "interface of an allowed type"
        }
        switch type {
        case .wifi: return "Wi-Fi interface"
        case .cellular: return "cellular interface"
        case .wiredEthernet: return "wired Ethernet interface"
        case .loopback: return "loopback interface"
        default: return "tunnel, nor an interface of another type"
        }
    }

    private func noCarrier(_ name: String?) -> String {
        guard let name else { return "Nothing is connected to any interface." }
        switch interface?.type {
        case .wifi: return "\(name) is not connected to a Wi-Fi network."
        case .cellular: return "\(name) is not connected to a cellular network."
        case .wiredEthernet: return "No carrier on \(name): is the cable in?"
        default: return "No carrier on \(name): nothing is connected at its other end."
        }
    }
}
