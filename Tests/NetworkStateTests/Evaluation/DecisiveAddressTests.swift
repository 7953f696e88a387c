// SPDX-License-Identifier: Apache-2.0

import Netlink
import TestSupport
import Testing

@testable import NetworkState

/// A path is kept as long as the addresses that it depends on stay the same.
struct DecisiveAddressTests {
    private static let addressLists: [[InterfaceAddress]] = [
        [], [InterfaceAddress("192.0.2.2/24")], [InterfaceAddress("192.0.2.2/24", flags: .tentative)],
        [InterfaceAddress("169.254.1.2/16")], [InterfaceAddress("169.254.1.2/16", scope: .link)],
        [InterfaceAddress("2001:db8::2/64")], [InterfaceAddress("fe80::2/64", scope: .link)],
        [InterfaceAddress("192.0.2.3/24"), InterfaceAddress("2001:db8::3/64", flags: .duplicateDetected)],
    ]
    private static let outcomes: [RouteAnswer.Outcome] = [
        .noRoute, .rejected, .via("192.0.2.1"), .via("192.0.2.1"), .via("fe80::1"), .via(nil, on: 9), .via(nil, on: 3),
        .via("192.0.2.1", source: "192.0.2.2"), .via("192.0.2.1", length: 1),
    ]

    private static func host(_ generator: inout SeededGenerator) -> Host {
        var dummy = NetworkInterface.wired(3)
        dummy.linkKind = Bool.random(using: &generator) ? "dummy" : nil
        var host = Host(.wired(2), dummy, .tunnel())
        for place in host.interfaces.indices { host.interfaces[place].addresses = addresses(&generator) }
        for family in [AddressFamily.ipv4, .ipv6] {
            for link in [nil, nil, 2, 3, 9] as [Int32?] {
                guard let outcome = outcomes.randomElement(using: &generator) else { continue }
                let all = ReferenceLookups.representatives(family)
                host = host.answering(outcome, to: Bool.random(using: &generator) ? all : [all[0], all[2]], over: link)
            }
        }
        return host
    }

    private static func addresses(_ generator: inout SeededGenerator) -> [InterfaceAddress] {
        addressLists.randomElement(using: &generator) ?? []
    }

    @Test func `a path that is kept is the one that would be evaluated`() throws {
        var generator = SeededGenerator(seed: 1)
        var (kept, different) = (0, 0)
        let filters = [PathFilter(), PathFilter(requiredType: .wiredEthernet), PathFilter(prohibitedTypes: [.other])]
        for _ in 0..<3000 {
            let old = Self.host(&generator).snapshot
            var new = old
            let place = try #require(new.interfaces.indices.randomElement(using: &generator))
            new.interfaces[place].addresses = Self.addresses(&generator)
            for filter in filters {
                var decisive = LinkPlaces()
                let path = PathEvaluator(old).evaluate(filter, &decisive)
                let isKept = old.differsOnlyInHosts(from: new, comparingAddressesOf: decisive)
                let isSame = PathEvaluator(new).evaluate(filter) == path
                try #require(isSame || !isKept, "\(old) and \(new) with \(filter)")
                if isKept, old != new { kept += 1 }
                if !isSame { different += 1 }
            }
        }
        #expect(kept > 300 && different > 500, "\(kept) kept, \(different) different")
    }

    @Test func `an address of a bridge keeps the path, one of the uplink does not`() {
        let old = Host(.wired(2), .wired(3)).answering(.via("192.0.2.1")).snapshot
        var decisive = LinkPlaces()
        _ = PathEvaluator(old).evaluate(PathFilter(), &decisive)
        var new = old
        new.interfaces[2].addresses = []
        #expect(old.differsOnlyInHosts(from: new, comparingAddressesOf: decisive))
        new.interfaces[1].addresses = []
        #expect(!old.differsOnlyInHosts(from: new, comparingAddressesOf: decisive))
    }

    @Test func `every property of a link but its addresses is compared`() {
        let link = NetworkInterface.wired(2)
        let changes: [(inout NetworkInterface) -> Void] = [
            { $0.index = 3 }, { $0.name = "wan" }, { $0.type = .wifi }, { $0.linkKind = "veth" }, { $0.flags = .up },
            { $0.controllerIndex = 4 }, { $0.controllerKind = "bridge" }, { $0.carrierIndex = 5 },
            { $0.wifi = WiFiLink(ssid: nil) }, { $0.radioBlock = .software }, { $0.metered = .yes },
        ]
        #expect(Mirror(reflecting: link).children.count == changes.count + 1, "a property is missing here")
        for (number, change) in changes.enumerated() {
            var other = link
            change(&other)
            #expect(![link].isSameLink(at: 0, as: [other]), "change \(number)")
        }
        var other = link
        other.addresses = []
        #expect([link].isSameLink(at: 0, as: [other]))
    }
}
