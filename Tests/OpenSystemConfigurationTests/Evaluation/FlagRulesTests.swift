//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import OpenSystemConfiguration

struct `Flags of a way` {
    /// Facts, and the flags by their number.
    static let table: [(PathFacts, UInt32)] = [
        (PathFacts(status: .satisfied), 0x2),
        (PathFacts(status: .satisfied, isDirect: true), 0x20002),
        (PathFacts(status: .satisfied, isLocalAddress: true), 0x10002),
        (PathFacts(status: .satisfied, isLocalAddress: true, isDirect: true), 0x30002),
        (PathFacts(status: .satisfied, isCellular: true), 0x40003),
        (PathFacts(status: .satisfied, isDialledOrVPN: true), 0x3),
        (PathFacts(status: .satisfied, isCellular: true, isDialledOrVPN: true), 0x40003),
        (PathFacts(status: .satisfied, needsIntervention: true), 0x2),
        (PathFacts(status: .requiresConnection), 0xF),
        (PathFacts(status: .requiresConnection, isCellular: true), 0x4000F),
        (PathFacts(status: .requiresConnection, isDirect: true), 0xF),
        (PathFacts(status: .unsatisfied), 0),
        (PathFacts(status: .unsatisfied, isCellular: true), 0),
        (PathFacts(status: .unsatisfied, needsIntervention: true), 0x14),
        (PathFacts(status: .unknown), 0x2),
        (PathFacts(status: .unknown, needsIntervention: true), 0x2),
    ]

    @Test(arguments: table)
    func `follow from its facts`(facts: PathFacts, rawValue: UInt32) {
        #expect(FlagRules.flags(facts).rawValue == rawValue)
    }

    @Test func `only a satisfied way, or an unknown one, passes the classic rule for reachable`() {
        for status in PathFacts.Status.allCases {
            for bits in 0..<32 {
                let facts = PathFacts(
                    status: status, isCellular: bits & 1 != 0, isDialledOrVPN: bits & 2 != 0,
                    isLocalAddress: bits & 4 != 0, isDirect: bits & 8 != 0, needsIntervention: bits & 16 != 0)
                let flags = FlagRules.flags(facts)
                #expect(flags.contains(.reachable) == (status != .unsatisfied))
                #expect(
                    flags.contains(.connectionRequired)
                        == (status == .requiresConnection || flags == [.connectionRequired, .interventionRequired]))
                #expect(flags.rawValue & 0xFF00_0000 == 0)
                #expect(!flags.contains(.connectionOnDemand))
            }
        }
    }

    @Test func `reachable outranks what needs a connection, and that outranks nothing`() {
        #expect(FlagRules.rank([.reachable]) < FlagRules.rank([.reachable, .connectionRequired]))
        #expect(FlagRules.rank([.reachable, .connectionRequired]) < FlagRules.rank([]))
        #expect(FlagRules.rank([.connectionRequired, .interventionRequired]) == FlagRules.rank([]))
    }
}
