//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
/// Hears what the kernel announces, from the moment it exists.
///
/// Make it first, read the state after that, and nothing can be missed in between. It belongs to one thread or actor.
public struct NetlinkSubscription: ~Copyable {
    private let socket: NetlinkSocket
    private var buffer = [UInt8](repeating: 0, count: NetlinkSocket.bufferSize)
    /// How many receives in a row the kernel had no memory for.
    private var refusals = 0
    /// More than this many is for good: who goes on at once would spin.
    private static let toleratedRefusals = 8

    /// The groups that the kernel or a sandbox refused, with its reason.
    public private(set) var refused: [MulticastGroup: NetlinkError] = [:]

    /// What a drain came to.
    public enum Drained: Hashable, Sendable {
        /// Everything waiting was read.
        case empty
        /// The bound was reached and there may be more.
        case more
        /// Events were lost or unreadable: read the state again. What had arrived before was delivered.
        case lost
    }

    /// Subscribes.
    ///
    /// - Parameters:
    ///   - groups: what to hear.
    ///   - namespace: where; nil is the calling thread's network namespace.
    ///   - receiveBuffer: bytes to ask for, so that bursts are lost less often.
    /// - Throws: `system` when there is no netlink. Refused groups do not throw; see `refused`.
    public init(
        _ groups: [MulticastGroup], in namespace: NetworkNamespace? = nil, receiveBuffer: Int32 = 1 << 20
    ) throws(NetlinkError) {
        let socket = try NetlinkSocket(.route, in: namespace)
        socket.preferReceiveBuffer(bytes: receiveBuffer)
        for group in groups {
            do { try socket.join(group) } catch { refused[group] = error }
        }
        self.socket = socket
    }

    /// The descriptor's number, for poll(2).
    public var descriptorNumber: Int32 { socket.descriptorNumber }

    /// The port that the kernel gave the socket.
    public var portNumber: UInt32 { socket.portNumber }

    /// From now on hears only those route changes whose destination covers one of the addresses; all else as before.
    ///
    /// It takes the place of an earlier limit. What waits to be read is not touched.
    ///
    /// - Returns: false when the kernel cannot (too many addresses, no filters): everything is heard.
    @discardableResult
    public func limitRoutes(toThoseCovering addresses: some Collection<InetAddress>) -> Bool {
        if let filter = SocketFilter(routesCovering: addresses), (try? socket.attach(filter)) != nil { return true }
        // An earlier limit must not make the watcher deaf to the new addresses.
        try? socket.attach(.everything)
        return false
    }

    /// Delivers what is waiting, without waiting for more.
    ///
    /// - Parameters:
    ///   - most: after how many datagrams to stop.
    ///   - body: gets each message's header and payload.
    /// - Throws: `system` when the socket fails for good. A body that throws makes the rest of its datagram `lost`.
    public mutating func drain(
        most: Int = .max, _ body: (MessageHeader, RawSpan) throws(NetlinkError) -> Void
    ) throws(NetlinkError) -> Drained {
        var result = Drained.empty
        for _ in 0..<most {
            do {
                let received = try socket.receive(into: &buffer, waiting: false)
                refusals = 0
                switch received {
                case .nothing: return result
                case .stranger: break
                case .datagram(let count):
                    // Every bit pattern of UInt8 is a byte; the span cannot outlive the buffer.
                    try unsafe buffer.span.bytes.extracting(first: count).forEachMessage(body)
                }
            } catch let error {
                switch error.code {
                case .overflow, .truncated, .malformed: result = .lost
                case .system where error.errno == .noMemory && refusals < Self.toleratedRefusals:
                    refusals += 1
                    return .lost
                default: throw error
                }
            }
        }
        return result == .lost ? .lost : .more
    }
}
#endif
