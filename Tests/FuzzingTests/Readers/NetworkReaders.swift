// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import Netlink
import NetlinkTesting
@testable import NetworkState

extension Reader {
    /// Datagrams from the kernel: every kind of message, whatever the header says, and the resulting state.
    static let netlink = Reader("netlink") { bytes in
        let span = bytes.span.bytes
        var tables = KernelTables()
        try? span.forEachMessage { (header, payload) throws(NetlinkError) in
            _ = try? RouteNetlinkMessage(header, payload)
            _ = try? tables.apply(header, payload)
        }
        for offset in [0, 16] where offset <= bytes.count { readEach(span.extracting(offset..<bytes.count)) }
        var answers = Answers(to: 1, flags: .dump, operation: "")
        _ = try? answers.receive(span) { _, _ in }
        var batch = BatchAnswers(from: 0, count: 40)
        _ = try? batch.receive(span) { _, _, _ in }

        let interfaces = tables.interfaces(devices: [:])
        precondition(Set(interfaces.map(\.index)).count == interfaces.count, "two links with one number")
        _ = PathEvaluator(NetworkSnapshot(interfaces: interfaces)).evaluate()
        // A link that is gone leaves no addresses behind.
        precondition(
            tables.addresses.elements.allSatisfy { tables.addresses[$0.key]?.isEmpty == false }, "an empty list")
    }

    private static func readEach(_ payload: RawSpan) {
        _ = try? GenericFamily(payload)
        _ = try? WiFiInterface(payload)
        _ = try? WiFiStation(payload)
        _ = try? WiFiNetwork(payload)
        _ = try? WireGuardDevice(payload)
        _ = try? LinkMessage(payload)
        _ = try? AddressMessage(payload)
        _ = try? RouteMessage(payload)
        _ = try? RuleMessage(payload)
        _ = try? NextHopObjectMessage(payload)
        _ = try? NeighborMessage(payload)
        _ = try? ConfigurationMessage(payload)
    }

    /// NetworkManager's side of the system bus: the result must not depend on how the bytes are split.
    static let bus = Reader("bus") { bytes in
        var whole = BusStream(user: 0)
        let messages = try? whole.receive(bytes[...])
        var cut = BusStream(user: 0)
        var found: [BusMessage]? = []
        for start in stride(from: 0, to: bytes.count, by: 7) {
            guard let more = try? cut.receive(bytes[start..<min(start + 7, bytes.count)]) else {
                found = nil
                break
            }
            found? += more
        }
        // A rejected message may follow others, which are accepted first if the bytes are split.
        if let messages, let found { precondition(messages.map(\.body) == found.map(\.body), "cut apart") }
    }

    /// resolv.conf, a name server's reply, and systemd-networkd's state file.
    static let resolver = Reader("resolver") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let configuration = ResolverConfiguration(parsing: text)
        precondition(ResolverConfiguration(parsing: text) == configuration, "read twice, read differently")
        _ = configuration.isResolvedStub
        readOfNames(bytes, text)
    }
}
#endif
