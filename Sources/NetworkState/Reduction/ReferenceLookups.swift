//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import Netlink

/// The lookups that determine where packets to the Internet go.
///
/// They send no packets: the kernel is asked where a packet to these addresses *would* go. The addresses are ordinary
/// ones of different registries, in both halves of each family's public space, so that a route to one half is not
/// mistaken for a route to everything. Each half has two, so that a route to a single network (a company's, through a
/// tunnel) does not represent the half.
enum ReferenceLookups {
    /// Returns the reference addresses of a family: two of the lower half, then two of the upper.
    ///
    /// IPv6's public space is `2000::/3`, of which `2000::/4` is in use; its halves are those of `2000::/4`.
    static func representatives(_ family: AddressFamily) -> [NetworkAddress] {
        family == .ipv4 ? ipv4 : ipv6
    }

    static let all: [NetworkAddress] = ipv4 + ipv6

    private static let ipv4 = [
        NetworkAddress(24, 48, 0, 1), NetworkAddress(62, 115, 0, 1), NetworkAddress(177, 8, 0, 1),
        NetworkAddress(203, 104, 0, 1),
    ]
    private static let ipv6 = [
        "2403:300::1", "2607:f2c0::1", "2803:c600::1", "2a00:d40::1",
    ].compactMap(NetworkAddress.init)

    /// Returns whether an address is in the upper half of its family's public space.
    static func isUpperHalf(_ address: NetworkAddress) -> Bool {
        address.bits >> (address.version == .ipv4 ? 31 : 123) & 1 == 1
    }

    /// Returns the families to look up: those with an address that is, or will be, valid beyond its link.
    static func families(_ interfaces: [NetworkInterface]) -> [AddressFamily] {
        [AddressFamily.ipv4, .ipv6].filter { family in
            interfaces.contains { interface in
                interface.addresses.contains { $0.address.family == family && !$0.address.isLoopback }
            }
        }
    }

    /// Returns the lookups for a packet that may leave by any link.
    static func general(_ interfaces: [NetworkInterface]) -> [RouteLookup] {
        families(interfaces).flatMap { representatives($0).map { RouteLookup(to: $0) } }
    }

    /// Returns the lookups for individual links, per family, for each link that could carry packets.
    ///
    /// A link is skipped if all general answers of the family already lead to it.
    static func byInterface(_ interfaces: [NetworkInterface], after general: [RouteAnswer]) -> [RouteLookup] {
        let candidates = interfaces.lazy.filter { $0.isUp && !$0.isLoopback && !$0.isEnslaved }.map(\.index)
        return families(interfaces).flatMap { family in
            let only = onlyEgress(general, of: family)
            return candidates.filter { $0 != only }.flatMap { link in
                representatives(family).map { RouteLookup(to: $0, interface: link) }
            }
        }
    }

    /// Returns the link that all answers of a family lead to, if there is exactly one.
    static func onlyEgress(_ answers: [RouteAnswer], of family: AddressFamily) -> Int32? {
        var only: Int32?
        for answer in answers where answer.destination.family == family {
            guard case .route(let route) = answer.outcome, route.nextHops.count == 1,
                let interface = route.nextHops.first?.interface, only == nil || only == interface
            else { return nil }
            only = interface
        }
        return only
    }
}

extension RoutingAnswers {
    /// Runs the lookups that are useful for these links.
    ///
    /// - Parameter lookUp: returns an answer to each lookup, in order.
    package init<Failure: Error>(
        _ interfaces: [NetworkInterface], lookUp: ([RouteLookup]) throws(Failure) -> [RouteAnswer]
    ) throws(Failure) {
        self.init(general: try lookUp(ReferenceLookups.general(interfaces)))
        let questions = ReferenceLookups.byInterface(interfaces, after: general)
        guard !questions.isEmpty else { return }
        for (question, answer) in zip(questions, try lookUp(questions)) {
            guard let interface = question.interface else { continue }
            byInterface[interface, default: []].append(answer)
        }
    }
}
