// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
/// Reports that Wi-Fi has changed: joined, left, roamed, or an interface was created or removed.
///
/// It does not report what changed: read the state again. It belongs to one thread or actor.
public struct WiFiEvents: ~Copyable {
    private let socket: NetlinkSocket
    private var buffer = NetlinkSocket.makeBuffer()

    /// The groups of nl80211: joining and leaving, and interfaces (`NL80211_MULTICAST_GROUP_…`).
    private static let groups = ["mlme", "config"]

    /// Subscribes in the calling thread's network namespace; nil on a system that has no Wi-Fi yet.
    ///
    /// - Throws: `system` when netlink is unavailable, or the groups are refused.
    public init?() throws(NetlinkError) {
        var control = try GenericNetlink()
        guard let family = try control.wifiFamily() else { return nil }
        let socket = try NetlinkSocket(.generic)
        for group in Self.groups {
            if let number = family.groups[group] { try socket.join(groupNumber: number) }
        }
        self.socket = socket
    }

    /// The descriptor's number, for poll(2).
    public var descriptorNumber: Int32 { socket.descriptorNumber }

    /// Reads what is queued, without waiting for more.
    ///
    /// - Returns: whether anything has changed; also true when events were lost.
    public mutating func drain(most: Int = 64) -> Bool {
        var hasHappened = false
        for _ in 0..<most {
            do {
                switch try socket.receive(into: &buffer, waiting: false) {
                case .nothing: return hasHappened
                case .stranger: break
                case .datagram: hasHappened = true
                }
            } catch {
                hasHappened = true
            }
        }
        return hasHappened
    }
}
#endif
