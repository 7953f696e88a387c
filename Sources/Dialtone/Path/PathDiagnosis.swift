//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why there is no path, in more detail than Apple's `unsatisfiedReason` has, and on which interface.
public struct PathDiagnosis: Hashable, Sendable {
    /// The nearest obstacle between this host and a path.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// There is no network interface but loopback.
        case noInterface
        /// Every interface is switched off.
        case allDown
        /// The radio is switched off (rfkill), and nothing else is on.
        case radioOff
        /// An interface is on, but nothing is connected to it.
        case noCarrier
        /// A link is there, but waits for something, such as authentication or a dial.
        case dormant
        /// A link is there, but has no usable address.
        case noAddress
        /// The address is still being checked for duplicates (RFC 4862).
        case addressTentative
        /// There is an address, but no route out.
        case noRoute
        /// A route or rule rejects packets explicitly.
        case routeUnreachable
    }

    /// What stands in the way.
    public var reason: Reason
    /// The interface concerned, when it is one.
    public var interface: NetworkPath.Interface?

    /// Makes a diagnosis.
    public init(_ reason: Reason, interface: NetworkPath.Interface? = nil) {
        self.reason = reason
        self.interface = interface
    }
}

extension PathDiagnosis: CustomStringConvertible {
    /// One or two plain sentences for a person: what is wrong, and where a question helps, what to look at.
    public var description: String {
        let name = interface?.name
        switch reason {
        case .noInterface: return "This machine has no network interface."
        case .allDown: return name.map { "\($0) is switched off." } ?? "Every network interface is switched off."
        case .radioOff: return radioOff
        case .noCarrier: return noCarrier(name)
        case .dormant: return "\(name ?? "The link") waits to be let in: is the password or login right?"
        case .noAddress: return "No address on \(name ?? "any interface"): does the router hand one out (DHCP)?"
        case .addressTentative:
            return "The address on \(name ?? "the interface") is still being checked; this takes a second or two."
        case .noRoute: return "There is an address, but no route out: is a gateway set?"
        case .routeUnreachable: return "The routing of this machine forbids the way out: a VPN's kill switch, perhaps?"
        }
    }

    private var radioOff: String {
        let radio = interface?.type == .cellular ? "The modem" : "Wi-Fi"
        return "\(radio) is switched off (rfkill): by flight mode, or a key or switch of this machine?"
    }

    private func noCarrier(_ name: String?) -> String {
        guard let name else { return "Nothing is connected to any interface." }
        switch interface?.type {
        case .wifi: return "\(name) is not connected to a Wi-Fi network."
        case .cellular: return "\(name) is not connected to a mobile network."
        case .wiredEthernet: return "No carrier on \(name): is the cable in?"
        default: return "No carrier on \(name): nothing is connected at its other end."
        }
    }
}
