//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink

/// Which lookups tell where packets to the Internet go.
///
/// Nobody is contacted: the kernel is asked where a packet to these addresses *would* go. They are ordinary addresses of
/// different registries, in both halves of each family's public space, so that a route to half of it is not taken for all.
/// Each half has two, so that a route to just one network (a company's, through a tunnel) does not speak for the half.
enum RoutingQuestions {
    /// The representatives of a family: two of the lower half, then two of the upper.
    ///
    /// IPv6's public space is `2000::/3`, of which `2000::/4` is in use; its halves are those of `2000::/4`.
    static func representatives(_ family: AddressFamily) -> [InetAddress] {
        family == .ipv4 ? ipv4 : ipv6
    }

    static let all: [InetAddress] = ipv4 + ipv6

    private static let ipv4 = [
        InetAddress(24, 48, 0, 1), InetAddress(62, 115, 0, 1), InetAddress(177, 8, 0, 1), InetAddress(203, 104, 0, 1),
    ]
    private static let ipv6 = [
        "2403:300::1", "2607:f2c0::1", "2803:c600::1", "2a00:d40::1",
    ].compactMap(InetAddress.init)

    /// Whether an address lies in the upper half of its family's public space.
    static func isUpperHalf(_ address: InetAddress) -> Bool {
        let first = address.firstByte
        return address.family == .ipv4 ? first >= 0x80 : first & 0x08 != 0
    }

    /// The families that can be asked about: those of which there is an address that reaches beyond its link, or will be.
    static func families(_ interfaces: [NetworkInterface]) -> [AddressFamily] {
        [AddressFamily.ipv4, .ipv6].filter { family in
            interfaces.contains { interface in
                interface.addresses.contains { $0.address.family == family && !$0.address.isLoopback }
            }
        }
    }

    /// The questions for a packet that may leave by any link.
    static func general(_ interfaces: [NetworkInterface]) -> [RouteLookup] {
        families(interfaces).flatMap { representatives($0).map { RouteLookup(to: $0) } }
    }

    /// The links worth asking about one by one, per family: those that could carry packets, but for one that the general
    /// answers of the family all lead to anyway.
    static func byInterface(_ interfaces: [NetworkInterface], after general: [RouteAnswer]) -> [RouteLookup] {
        let candidates = interfaces.lazy.filter { $0.isUp && !$0.isLoopback && !$0.isEnslaved }.map(\.index)
        return families(interfaces).flatMap { family in
            let only = onlyEgress(general, of: family)
            return candidates.filter { $0 != only }.flatMap { link in
                representatives(family).map { RouteLookup(to: $0, interface: link) }
            }
        }
    }

    /// The link that all answers of a family lead to, if there is just one.
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
    /// Asks what is worth asking when these are the links.
    ///
    /// - Parameter ask: gives an answer to each question, in their order.
    init<Failure: Error>(
        _ interfaces: [NetworkInterface], ask: ([RouteLookup]) throws(Failure) -> [RouteAnswer]
    ) throws(Failure) {
        self.init(general: try ask(RoutingQuestions.general(interfaces)))
        let questions = RoutingQuestions.byInterface(interfaces, after: general)
        guard !questions.isEmpty else { return }
        for (question, answer) in zip(questions, try ask(questions)) {
            guard let interface = question.interface else { continue }
            byInterface[interface, default: []].append(answer)
        }
    }
}
