// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import Netlink

/// One message as sent by the kernel.
struct Capture: Sendable {
    let bytes: [UInt8]

    /// Reads `Captures/NAME.hex`.
    init(file name: String) { bytes = CaptureFile.messages(name, beside: #filePath)[0] }

    /// Reads the same from a text.
    init(_ text: String) { bytes = CaptureFile.bytes(text) }

    /// The typed message.
    func message() throws -> RouteNetlinkMessage { try Self.messages(in: bytes)[0] }

    /// The typed messages of a datagram.
    static func messages(in bytes: [UInt8]) throws(NetlinkError) -> [RouteNetlinkMessage] {
        var messages: [RouteNetlinkMessage] = []
        try bytes.span.bytes.forEachMessage { (header, payload) throws(NetlinkError) in
            messages.append(try RouteNetlinkMessage(header, payload))
        }
        return messages
    }

    /// All rtnetlink captures.
    static let routing =
        LinkCaptures.all + AddressCaptures.all + RouteCaptures.all + NextHopCaptures.all + RuleCaptures.all
        + NeighborCaptures.all
}
