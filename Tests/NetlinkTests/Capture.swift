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
    func message(keepingUnknown: Bool = true) throws -> RouteNetlinkMessage {
        try Self.messages(in: bytes, keepingUnknown: keepingUnknown)[0]
    }

    /// The typed messages of a datagram.
    static func messages(in bytes: [UInt8], keepingUnknown: Bool = true) throws(NetlinkError) -> [RouteNetlinkMessage] {
        var messages: [RouteNetlinkMessage] = []
        try bytes.span.bytes.forEachMessage { (header, payload) throws(NetlinkError) in
            messages.append(try RouteNetlinkMessage(header, payload, keepingUnknown: keepingUnknown))
        }
        return messages
    }

    /// All rtnetlink captures.
    static let routing =
        LinkCaptures.all + AddressCaptures.all + RouteCaptures.all + NextHopCaptures.all + RuleCaptures.all
        + NeighborCaptures.all
}

/// The attributes of a capture's message that have no property, by number.
func bytes(of message: RouteNetlinkMessage) -> [UInt16: [UInt8]] {
    let unknown: [UnknownAttribute] =
        switch message {
        case .newLink(let link), .deletedLink(let link): link.unknownAttributes
        case .newAddress(let address), .deletedAddress(let address): address.unknownAttributes
        case .newRoute(let route, _), .deletedRoute(let route): route.unknownAttributes
        case .newRule(let rule), .deletedRule(let rule): rule.unknownAttributes
        case .newNextHop(let object), .deletedNextHop(let object): object.unknownAttributes
        case .newNeighbor(let neighbor), .deletedNeighbor(let neighbor): neighbor.unknownAttributes
        case .newConfiguration(let settings), .deletedConfiguration(let settings): settings.unknownAttributes
        case .other: []
        }
    return Dictionary(unknown.map { ($0.type, $0.bytes) }) { first, _ in first }
}
