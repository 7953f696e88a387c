// SPDX-License-Identifier: Apache-2.0

import Glibc
import Netlink
import TestSupport
import Testing

@testable import NetworkState

/// The meaning of the kernel's errors for a lookup.
struct RouteAnswerTests {
    /// Errors, and the resulting outcome; nil for errors that say nothing about the network.
    static let refusals: [(NetworkAddress, NetlinkError.Errno, RouteAnswer.Outcome?)] = [
        ("24.48.0.1", .networkUnreachable, .noRoute),
        ("24.48.0.1", .noSuchDevice, .noRoute),
        // A table without the route, a link that is off, and a source address that this host does not have.
        ("24.48.0.1", .init(rawValue: ESRCH), .noRoute),
        ("24.48.0.1", .init(rawValue: ENETDOWN), .noRoute),
        ("24.48.0.1", .init(rawValue: EADDRNOTAVAIL), .noRoute),
        ("24.48.0.1", .hostUnreachable, .rejected),
        ("24.48.0.1", .permissionDenied, .rejected),
        ("24.48.0.1", .invalidArgument, .rejected),
        ("24.48.0.1", .noBufferSpace, nil),
        ("24.48.0.1", .noMemory, nil),
        ("24.48.0.1", .wouldBlock, nil),
        ("24.48.0.1", .notSupported, nil),
        // A kernel without IPv6 does not support the lookup.
        ("2607:f2c0::1", .notSupported, .noRoute),
        ("2607:f2c0::1", .addressFamilyNotSupported, .noRoute),
        ("2607:f2c0::1", .noMemory, nil),
    ]

    @Test(arguments: refusals)
    func `only errors that mean no route count as no route`(
        destination: NetworkAddress, errno: NetlinkError.Errno, expected: RouteAnswer.Outcome?
    ) throws {
        guard let expected else {
            let error = #expect(throws: NetlinkError.self) { try RouteAnswer(RouteLookup(to: destination), errno) }
            #expect(error?.errno == errno)
            return
        }
        #expect(try RouteAnswer(RouteLookup(to: destination), errno).outcome == expected)
    }
}
