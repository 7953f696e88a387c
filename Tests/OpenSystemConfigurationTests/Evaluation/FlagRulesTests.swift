// SPDX-License-Identifier: Apache-2.0

import NetworkState
import Testing

@testable import OpenSystemConfiguration

struct `Flags of a path` {
    /// Properties of a path, and the raw value of its flags.
    static let table: [(FlagInputs, UInt32)] = [
        (FlagInputs(status: .satisfied), 0x2),
        (FlagInputs(status: .satisfied, isDirect: true), 0x20002),
        (FlagInputs(status: .satisfied, isLocalAddress: true), 0x10002),
        (FlagInputs(status: .satisfied, isLocalAddress: true, isDirect: true), 0x30002),
        (FlagInputs(status: .satisfied, isCellular: true), 0x40003),
        (FlagInputs(status: .satisfied, isDialledOrVPN: true), 0x3),
        (FlagInputs(status: .satisfied, isCellular: true, isDialledOrVPN: true), 0x40003),
        (FlagInputs(status: .satisfied, needsIntervention: true), 0x2),
        (FlagInputs(status: .requiresConnection), 0xF),
        (FlagInputs(status: .requiresConnection, isCellular: true), 0x4000F),
        (FlagInputs(status: .requiresConnection, isDirect: true), 0xF),
        (FlagInputs(status: .unsatisfied), 0),
        (FlagInputs(status: .unsatisfied, isCellular: true), 0),
        (FlagInputs(status: .unsatisfied, needsIntervention: true), 0x14),
    ]

    @Test(arguments: table)
    func `the flags follow from the path's properties`(facts: FlagInputs, rawValue: UInt32) {
        #expect(FlagRules.flags(facts).rawValue == rawValue)
    }

    @Test func `only a satisfied path passes the classic test for reachability`() {
        for status in [PathStatus.satisfied, .unsatisfied, .requiresConnection] {
            for bits in 0..<32 {
                let facts = FlagInputs(
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

    @Test func `reachable ranks before connection required, and that before unreachable`() {
        #expect(FlagRules.rank([.reachable]) < FlagRules.rank([.reachable, .connectionRequired]))
        #expect(FlagRules.rank([.reachable, .connectionRequired]) < FlagRules.rank([]))
        #expect(FlagRules.rank([.connectionRequired, .interventionRequired]) == FlagRules.rank([]))
    }
}
