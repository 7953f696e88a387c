// SPDX-License-Identifier: Apache-2.0

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
        var (hasIPv4, hasIPv6) = (false, false)
        for place in interfaces.indices {
            for address in interfaces[place].addresses where !address.address.isLoopback {
                if address.address.version == .ipv4 { hasIPv4 = true } else { hasIPv6 = true }
            }
        }
        return hasIPv4 ? (hasIPv6 ? [.ipv4, .ipv6] : [.ipv4]) : hasIPv6 ? [.ipv6] : []
    }

    /// Returns the indices of the links that could carry packets.
    static func candidates(_ interfaces: [NetworkInterface]) -> [Int32] {
        var candidates: [Int32] = []
        candidates.reserveCapacity(interfaces.count)
        for place in interfaces.indices {
            guard interfaces[place].flags.contains(.up), !interfaces.isLoopback(at: place),
                !interfaces.isEnslaved(at: place)
            else { continue }
            candidates.append(interfaces[place].index)
        }
        return candidates
    }

    /// Returns the link that all answers of a family lead to, if there is exactly one.
    static func onlyEgress(_ answers: [RouteAnswer], of family: AddressFamily) -> Int32? {
        var only: Int32?
        for place in answers.indices where answers[place].destination.family == family {
            guard case .route(let route) = answers[place].outcome, route.nextHops.count == 1,
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
        var groups = ReferenceGroups(interfaces)
        self = try groups.routing { (groups, selected) throws(Failure) in
            for group in selected {
                for (place, answer) in try lookUp(groups.all[group].lookups).enumerated() {
                    groups.setAnswer(answer, group, place)
                }
            }
        }
    }
}
