// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The share of packets that are lost, measured or estimated from a check's connections.
///
/// A filter drops packets, too, but those that it drops are never answered. Therefore only packets that were answered when
/// they were sent again show that there is loss; then those that were never answered count as well.
struct PacketLoss: Hashable, Sendable {
    /// The share of packets that are lost in each direction: 0...1.
    let share: Double

    /// Whether most packets are lost.
    var isMost: Bool { share > 0.5 }

    /// Whether so few packets are lost that several in a row are not lost by chance, and that a busy machine may be why.
    var isSlight: Bool { share < 0.1 }

    /// Whether so many packets are lost that a check may fail because of it.
    var isSevere: Bool { share > 1.0 / 3 }

    /// Creates the value, also for tests.
    init(share: Double) { self.share = share }

    /// Computes the loss from the number of packets that were answered, of those that were sent once.
    init(_ answered: Int, of sent: Int) {
        // With a share p in each direction, (1 - p)² are answered.
        share = 1 - (Double(answered) / Double(sent)).squareRoot()
    }

    /// The minimum number of packets that were lost and then answered.
    private static let leastRecovered = 3

    /// Estimates the loss; nil if nothing proves that packets are lost rather than blocked.
    init?(_ connections: [SentPackets]) {
        let lossy = connections.filter { $0.recovered > 0 }
        guard lossy.count > 1, lossy.map(\.recovered).reduce(0, +) >= Self.leastRecovered else { return nil }
        let answered = connections.map(\.answered).reduce(0, +)
        let repeated = connections.map(\.repeated).reduce(0, +)
        // A packet is repeated if it or its answer is lost.
        self.init(answered, of: answered + repeated)
    }
}

extension ProbeError {
    /// Whether a loss of packets may be the cause: no answer came in time, or the C library gave up.
    var mayBeLoss: Bool { [.timedOut, .dnsSilent, .nameResolution].contains(reason) }
}

extension PacketLoss: CustomStringConvertible {
    /// One sentence for a user.
    var description: String {
        isMost ? "Most packets are lost." : "About \(Int((share * 100).rounded())) % of packets are lost."
    }
}
