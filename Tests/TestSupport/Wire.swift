// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Glibc
import Netlink
public import NetlinkTesting
public import NetworkModel
import SystemSupport

/// A wire between two links: a test passes, drops or delays each packet on it.
///
/// It needs no queueing discipline and no firewall of the kernel, only tun and tap links.
public final class Wire: Sendable {
    /// The fate of a packet.
    public enum Fate: Sendable {
        case pass, drop
        case late(Duration)
    }

    /// Decides on each packet, on the wire's own thread.
    public typealias Rule = @Sendable (Packet) -> Fate

    /// Shared with the thread, which must not keep the wire.
    private final class CurrentRule: Sendable {
        /// Each access to a mutex of a closure would wrap it again, until the stack is too small for a call.
        struct State {
            var rule: Rule = { _ in .pass }
        }

        let state = Mutex(State())
    }

    private let current = CurrentRule()
    private let interrupt: WakeEvent

    /// Connects two links that carry the same; packets from the first to the second go outward.
    public init(_ near: Tunnel, _ far: Tunnel, carrying content: Tunnel.Content) throws {
        interrupt = try WakeEvent()
        let (interrupt, current) = (interrupt, current)
        try ThreadStarter.system.start("wire") {
            Self.precedeOtherThreads()
            var forwarder = Forwarder(near, far)
            forwarder.run(until: interrupt) { bytes, isOutward in
                current.state.withLock { $0.rule }(Packet(bytes, isOutward, isFrame: content == .frames))
            }
        }
    }

    deinit { interrupt.signal() }

    /// Runs the calling thread before others, which only root may: a packet that is late is sent again, and looks as if it had
    /// been lost.
    static func precedeOtherThreads() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -20) }

    /// Replaces the rule for the packets from now on; those that are late already still arrive.
    public func play(_ rule: @escaping Rule) { current.state.withLock { $0.rule = rule } }

    /// Moves packets between two links.
    private struct Forwarder {
        private struct Late {
            let due: ContinuousClock.Instant
            let bytes: [UInt8]
            let isOutward: Bool
        }

        private let near: Tunnel
        private let far: Tunnel
        /// In the order in which they are due.
        private var late: [Late] = []

        init(_ near: Tunnel, _ far: Tunnel) { (self.near, self.far) = (near, far) }

        mutating func run(until interrupt: WakeEvent, _ fate: ([UInt8], Bool) -> Fate) {
            let clock = TimeSource.system
            while true {
                let wait = PollSet.wait(
                    readable: [near.descriptorNumber, far.descriptorNumber],
                    until: late.first.map { max($0.due, clock.now + .microseconds(1)) }, interrupt)
                if case .interrupted = wait.outcome { return }
                while let first = late.first, first.due <= clock.now {
                    late.removeFirst()
                    // A link that is off loses packets.
                    try? (first.isOutward ? far : near).send(first.bytes)
                }
                for (link, isOutward) in [(near, true), (far, false)] where wait.ready.contains(link.descriptorNumber) {
                    while let bytes = try? link.nextPacket() {
                        switch fate(bytes, isOutward) {
                        case .drop: break
                        case .pass: try? (isOutward ? far : near).send(bytes)
                        case .late(let delay):
                            let due = clock.now + delay
                            let place = late.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
                            late.insert(Late(due: due, bytes: bytes, isOutward: isOutward), at: place)
                        }
                    }
                }
            }
        }
    }
}

extension Wire {
    /// A packet or frame on a wire.
    public struct Packet: Sendable {
        /// Whether it goes from the first link to the second.
        public let isOutward: Bool
        /// The IP packet, from its header on; empty for any other frame, such as one of ARP.
        public let ip: ArraySlice<UInt8>

        init(_ bytes: [UInt8], _ isOutward: Bool, isFrame: Bool) {
            self.isOutward = isOutward
            // A frame begins with two Ethernet addresses and the type of its content.
            let isPacket = !isFrame || bytes.count > 14 && [[0x08, 0x00], [0x86, 0xDD]].contains(bytes[12..<14])
            ip = isPacket ? bytes[(isFrame ? 14 : 0)...] : []
        }

        private func byte(_ offset: Int) -> UInt8 {
            let place = ip.startIndex + offset
            return ip.indices.contains(place) ? ip[place] : 0
        }

        /// The version of IP; nil for another protocol.
        public var version: NetworkAddress.Version? { ip.isEmpty ? nil : byte(0) >> 4 == 4 ? .ipv4 : .ipv6 }

        /// The number of the transport protocol.
        public var transport: UInt8 { version == .ipv4 ? byte(9) : byte(6) }

        private var payload: Int { version == .ipv4 ? Int(byte(0) & 0xF) * 4 : 40 }

        /// The address of the receiver.
        public var destination: NetworkAddress? {
            let range = version == .ipv4 ? 16..<20 : 24..<40
            return ip.count < range.upperBound
                ? nil : NetworkAddress(bytes: ip.dropFirst(range.lowerBound).prefix(range.count))
        }

        /// Whether a port of TCP or UDP, at either end, is this one.
        public func hasPort(_ port: UInt16) -> Bool {
            guard transport == 6 || transport == 17 else { return false }
            return [payload, payload + 2].contains { UInt16(byte($0)) << 8 | UInt16(byte($0 + 1)) == port }
        }

        /// Whether it finds or announces neighbors and routers: ARP, and the types 133 to 137 of ICMPv6 (RFC 4861).
        public var isNeighborDiscovery: Bool {
            version == nil || version == .ipv6 && transport == 58 && (133...137).contains(byte(40))
        }
    }
}
#endif
