// SPDX-License-Identifier: Apache-2.0

public import Netlink
import NetworkModel
public import NetworkState

/// The recorded course of a network: the kernel's messages and answers, in order.
///
/// Played by a `ReplaySource` it gives the same updates again, on any machine. As text (`init(parsing:)`, `description`)
/// it can be kept beside a test or attached to a report.
public struct NetworkRecording: Hashable, Sendable {
    /// A recorded event.
    public enum Step: Hashable, Sendable {
        /// Netlink messages about links and addresses, as they were on the wire: answers to dumps and announcements alike.
        case datagram([UInt8])
        /// Where a packet to an address would go from now on, over any link or bound to one.
        case answer(RouteAnswer, over: Int32?)
        /// Whether there is a policy rule that rejects packets, from now on.
        case rejectingRule(Bool)
        /// The name servers from now on.
        case resolver(ResolverConfiguration)
        /// The state was reported.
        case publish
    }

    /// The recorded message.
    public var steps: [Step]

    /// Creates a recording.
    public init(_ steps: [Step] = []) { self.steps = steps }
}

extension NetworkRecording {
    /// The states that were reported.
    ///
    /// An address without a recorded answer has no route.
    ///
    /// - Throws: `truncated` or `malformed` when a datagram is.
    public func snapshots() throws(NetlinkError) -> [NetworkSnapshot] {
        var tables = KernelTables()
        var answers: [RouteLookup: RouteAnswer] = [:]
        var hasRejectingRule = false
        var resolver = ResolverConfiguration()
        var snapshots: [NetworkSnapshot] = []
        for step in steps {
            switch step {
            case .datagram(let bytes):
                // Arrays have spans only in macOS 26 and later; buffers have them in every version.
                try bytes.withUnsafeBytes { buffer in
                    Result { () throws(NetlinkError) in
                        try buffer.bytes.forEachMessage { (header, payload) throws(NetlinkError) in
                            _ = try tables.apply(header, payload)
                        }
                    }
                }.get()
            case .answer(let answer, let interface):
                answers[RouteLookup(to: answer.destination, interface: interface)] = answer
            case .rejectingRule(let isThere): hasRejectingRule = isThere
            case .resolver(let configuration): resolver = configuration
            case .publish:
                var interfaces = tables.interfaces(devices: [:])
                let answer = { (question: RouteLookup) in
                    answers[question] ?? RouteAnswer(question.destination, .noRoute)
                }
                let routing = RoutingAnswers(interfaces) { questions in questions.map(answer) }
                // A recording does not distinguish marks and source addresses.
                let tunnels = TunnelCarriers(tables.links).find(in: routing) { _ in
                    nil
                } lookUp: { questions in
                    questions.map { answer(RouteLookup(to: $0.destination, interface: $0.interface)) }
                }
                for place in interfaces.indices {
                    interfaces[place].carrierIndex = tunnels.carriers[interfaces[place].index]
                }
                snapshots.append(
                    NetworkSnapshot(
                        interfaces: interfaces, hasRejectingRule: hasRejectingRule, routing: routing, resolver: resolver
                    ))
            }
        }
        return snapshots
    }
}
