// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
public import NetlinkTesting
import Synchronization

/// A link between two network namespaces that loses packets: a tunnel in each, and a thread that carries the packets between
/// them.
///
/// It carries them as long as this object exists. Both links are up; addresses and routes are the test's.
public final class LossyLink: Sendable {
    /// The packets that a link loses.
    public struct Loss: Hashable, Sendable {
        /// The share of packets that are lost in each direction.
        public var share: Double
        /// The size in bytes above which packets toward the near end are lost, without a report to their sender.
        public var largest: Int

        /// Creates a loss; by default no packet is lost.
        public init(share: Double = 0, largest: Int = .max) {
            (self.share, self.largest) = (share, largest)
        }
    }

    private let loss = Mutex(Loss())
    private let pause = Mutex<Duration?>(nil)
    /// The packets that came to the link at either end, and those of them that it lost.
    private let counts = Mutex((near: Count(), far: Count()))

    private struct Count {
        var all = 0
        var lost = 0

        /// The share that passes.
        var passing: Double { all == 0 ? 1 : 1 - Double(lost) / Double(all) }
    }

    /// Creates the link.
    ///
    /// - Parameters:
    ///   - name: the name of the link at both ends.
    ///   - near: the namespace of the program under test.
    ///   - far: the namespace of the servers.
    ///   - seed: the seed of the random numbers that choose the packets.
    public init(_ name: String, from near: NetworkNamespace, to far: NetworkNamespace, seed: UInt64) throws {
        let open = { @Sendable () throws -> Tunnel in
            let tunnel = try Tunnel(name: name, carrying: .packets)
            var kernel = try RouteNetlink()
            try kernel.setLink(kernel.link(named: name).index, up: true)
            return tunnel
        }
        let ends = (near: try near.run(open), far: try far.run(open))
        Thread.detachNewThread { [weak self] in
            Wire.precedeOtherThreads()
            var random = SeededGenerator(seed: seed)
            while true {
                var polled = [ends.near, ends.far].map {
                    pollfd(fd: $0.descriptorNumber, events: Int16(POLLIN), revents: 0)
                }
                // It ends soon after the object.
                poll(&polled, nfds_t(polled.count), 100)
                guard let (loss, counts) = self.map({ ($0.currentLoss, $0.currentCounts) }) else { return }
                var (near, far) = counts
                Self.carry(from: ends.near, to: ends.far, &random, &near) { packet in
                    if packet.count > 200, let pause = self?.takePause() {
                        // clock: the kernel of both ends must see the time pass.
                        usleep(UInt32(pause / .microseconds(1)))
                    }
                    return loss.share
                }
                Self.carry(from: ends.far, to: ends.near, &random, &far) { $0.count > loss.largest ? 1 : loss.share }
                self?.counts.withLock { $0 = (near, far) }
            }
        }
    }

    /// Changes the packets that are lost from now on.
    public func lose(_ loss: Loss) { self.loss.withLock { $0 = loss } }

    /// Makes the link stand still for a time, once, when the near end next sends more than an acknowledgement.
    public func pause(for time: Duration) { pause.withLock { $0 = time } }

    private func takePause() -> Duration? {
        pause.withLock { pause in
            defer { pause = nil }
            return pause
        }
    }

    /// The share of round trips that were lost: packets or their answers.
    public var lossOfRoundTrips: Double { counts.withLock { 1 - $0.near.passing * $0.far.passing } }

    private var currentLoss: Loss { loss.withLock { $0 } }
    private var currentCounts: (near: Count, far: Count) { counts.withLock { $0 } }

    private static func carry(
        from one: Tunnel, to other: Tunnel, _ random: inout SeededGenerator, _ count: inout Count,
        losing share: ([UInt8]) -> Double
    ) {
        while let packet = try? one.nextPacket() {
            count.all += 1
            if Double.random(in: 0..<1, using: &random) >= share(packet) {
                try? other.send(packet)
            } else {
                count.lost += 1
            }
        }
    }
}
#endif
