// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Dialtone
import LibC
import SystemSupport

/// A packet, or the first one of a connection.
struct ScriptedPacket {
    enum Content {
        case connection
        case datagram(ArraySlice<UInt8>)
        case echo
    }

    let destination: NetworkAddress
    let port: UInt16
    let content: Content
    /// The number of routers that forward it.
    var hopLimit = 64

    /// What distinguishes it from other packets, besides its time; the first bytes of a datagram may be random.
    var numbers: [UInt64] {
        var numbers = destination.bytes.map(UInt64.init) + [UInt64(port), UInt64(hopLimit)]
        switch content {
        case .connection: numbers.append(1)
        case .echo: numbers.append(2)
        case .datagram(let bytes): numbers += bytes.dropFirst(2).map(UInt64.init)
        }
        return numbers
    }

    fileprivate func isSubject(to behavior: NetworkChain.Behavior) -> Bool {
        guard behavior.destinations?.contains(destination) ?? true else { return false }
        return switch (behavior.traffic, content) {
        case (.all, _), (.echo, .echo), (.udp, .datagram), (.tcp, .connection): true
        case (.udpPort(let port), .datagram), (.tcpPort(let port), .connection): port == self.port
        case (.version(let version), _): version == destination.version
        default: false
        }
    }
}

/// The fate of a packet, and its delay.
struct PacketFate {
    enum Outcome {
        /// Nothing comes back.
        case silence
        /// This machine does not send it.
        case notSent(SystemError)
        /// The next hop has no link-layer address: the kernel gives up.
        case noNeighbor
        /// A connection is accepted.
        case accepted(ScriptedInternet.Behavior)
        /// A connection is reset, or nothing listens on a UDP port of the destination.
        case refused
        /// A datagram comes back; with the answer if it is DNS.
        case reply([UInt8], ScriptedResolver.Answer?)
        /// A router reports an error.
        case report(Sockets.ReportedError)
    }

    let outcome: Outcome
    let delay: Duration
    /// Whether packets of full size would be lost.
    var losesLarge = false

    static var silence: Self { Self(outcome: .silence, delay: .zero) }

    /// The kernel repeats its query for a link-layer address twice, at intervals of a second (arp(7)).
    static let neighborPatience = Duration.seconds(3)
}

extension NetworkChain {
    /// The fate of a packet.
    ///
    /// - Parameters:
    ///   - place: the part that it comes from.
    ///   - random: decides what is lost.
    func fate(
        of packet: ScriptedPacket, from place: Int = 0, _ random: inout some RandomNumberGenerator
    ) -> PacketFate {
        // On a link.
        var delay = Duration.microseconds(300)
        var hops = 0
        var losesLarge = false
        let isTunneled = carriers.map { !$0.contains { $0.address.unscoped == packet.destination.unscoped } } ?? false
        for (place, part) in parts.enumerated().dropFirst(place)
        where isTunneled || part.kind != .tunnel || carriers == nil {
            guard part.isPresent else {
                return part.isRouter && hops == 0 && !isTunneled
                    ? PacketFate(outcome: .noNeighbor, delay: PacketFate.neighborPatience)
                    : .silence
            }
            let isDestination = part.addresses.contains { $0.unscoped == packet.destination.unscoped }
            // The routers of the carrier see the packets that carry this one.
            if part.isRouter, !isDestination, !isTunneled {
                hops += 1
                if hops == packet.hopLimit {
                    let isQuiet = part.answering.contains { $0.effect.isDrop }
                    return PacketFate(outcome: isQuiet ? .silence : .report(part.timeExceeded(packet)), delay: delay)
                }
            }
            for behavior in isDestination ? part.answering : part.passing where packet.isSubject(to: behavior) {
                switch behavior.effect {
                case .delay(let time): delay += time
                case .vary(let time): delay += time * Double.random(in: 0..<1, using: &random)
                case .loseLarge: losesLarge = true
                case .lose(let share):
                    if (0..<2).contains(where: { _ in .random(in: 0..<1, using: &random) < share }) {
                        return .silence
                    }
                default:
                    if let outcome = part.outcome(of: behavior.effect, packet, hosts) {
                        return PacketFate(outcome: outcome, delay: delay)
                    }
                }
            }
            if isDestination {
                return answer(packet, names: part.names, nil, at: place, delay, &random)
            }
        }
        guard let host = hosts.first(where: { $0.addresses.contains { $0.unscoped == packet.destination.unscoped } })
        else { return .silence }
        var fate = answer(packet, names: host.nameService, host.behavior, at: parts.count, delay, &random)
        fate.losesLarge = losesLarge
        return fate
    }

    /// The answer of a packet's destination.
    private func answer(
        _ packet: ScriptedPacket, names: NameService?, _ behavior: ScriptedInternet.Behavior?, at place: Int,
        _ delay: Duration, _ random: inout some RandomNumberGenerator
    ) -> PacketFate {
        switch packet.content {
        case .echo: return PacketFate(outcome: .reply([0, 0, 0, 0], nil), delay: delay)
        case .connection:
            return PacketFate(outcome: behavior.map { .accepted($0) } ?? .refused, delay: delay)
        case .datagram(let bytes):
            guard packet.port == 53, let names, let question = NameQuestion(bytes) else {
                return PacketFate(outcome: .refused, delay: delay)
            }
            var delay = delay
            let answer: ScriptedResolver.Answer
            switch names {
            case .always(let always): answer = always
            case .authoritative: answer = hosts.answer(to: question.name)
            case .forwarded:
                // The forwarder queries a server on the Internet, and waits longer than its client.
                let upstream = ScriptedPacket(
                    destination: [NetworkAddress].publicResolvers[0], port: 53, content: packet.content)
                let fate = fate(of: upstream, from: place + 1, &random)
                guard case .reply(_, let found?) = fate.outcome else { return .silence }
                answer = found
                delay += fate.delay
            }
            return PacketFate(
                outcome: question.reply(answer).map { .reply($0, answer) } ?? .silence, delay: delay)
        }
    }
}

extension NetworkChain.Part {
    /// The reaction of a behavior; nil if the packet passes.
    fileprivate func outcome(
        of effect: NetworkChain.Behavior.Effect, _ packet: ScriptedPacket, _ hosts: [NetworkChain.Host]
    ) -> PacketFate.Outcome? {
        switch (effect, packet.content) {
        case (.drop, .connection), (.reset, .datagram), (.reset, .echo): return .silence
        case (.drop, _): return kind == .machine ? .notSent(SystemError(EPERM)) : .silence
        case (.reject, .connection) where kind == .machine: return .refused
        case (.reject, _) where kind == .machine: return .notSent(SystemError(EPERM))
        case (.reject, _): return report(packet, 13, 1)
        case (.report(let code4, let code6), _): return report(packet, code4, code6)
        case (.reset, .connection): return .refused
        case (.play(let behavior), .connection): return .accepted(behavior)
        case (.resolve(let answer), .datagram(let bytes)):
            return NameQuestion(bytes)?.reply(answer).map { .reply($0, answer) } ?? .silence
        case (.play, _), (.resolve, _), (.delay, _), (.vary, _), (.lose, _), (.loseLarge, _): return nil
        }
    }

    /// A report that a packet is not forwarded, with a code of ICMP for each IP version.
    private func report(_ packet: ScriptedPacket, _ code4: UInt8, _ code6: UInt8) -> PacketFate.Outcome {
        let (type, code): (UInt8, UInt8) = packet.destination.version == .ipv4 ? (3, code4) : (1, code6)
        return .report(.init(type: type, code: code, sender: sender(packet)))
    }

    fileprivate func timeExceeded(_ packet: ScriptedPacket) -> Sockets.ReportedError {
        .init(type: packet.destination.version == .ipv4 ? 11 : 3, code: 0, sender: sender(packet))
    }

    /// The address with which it reports errors.
    private func sender(_ packet: ScriptedPacket) -> NetworkAddress {
        let version = packet.destination.version
        return addresses.first { $0.version == version }
            ?? (version == .ipv4 ? NetworkAddress(100, 64, 0, 1) : NetworkAddress("2001:db8:ffff::1") ?? .any(.ipv6))
    }
}

extension NetworkChain.Behavior.Effect {
    fileprivate var isDrop: Bool { if case .drop = self { true } else { false } }
}

extension [NetworkChain.Host] {
    /// The addresses of the host with a name.
    fileprivate func answer(to name: String) -> ScriptedResolver.Answer {
        guard !name.isEmpty else { return ScriptedResolver.Answer(kind: .addresses([])) }
        let name = name.lowercased()
        let host = first { $0.names.contains { $0.lowercased() == name } }
        return host.map { ScriptedResolver.Answer(kind: .addresses($0.addresses)) } ?? .notFound
    }
}
#endif
