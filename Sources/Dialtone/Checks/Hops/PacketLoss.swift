// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The share of packets that are lost, measured with round trips: packets and their answers.
package struct PacketLoss: Hashable, Sendable {
    /// The share of packets that are lost in each direction, if it is the same in both: 0...1.
    let share: Double
    /// The number of round trips that it was measured with.
    let roundTrips: Int

    /// Whether so few packets are lost that several in a row are not lost by chance, and that a busy machine may be why.
    var isSlight: Bool { share < 0.1 }

    /// Whether so many packets are lost that a check may fail because of it.
    var isSevere: Bool { share > 1.0 / 3 }

    /// Creates the value, also for tests.
    init(share: Double, roundTrips: Int = LossProbe.connections) {
        self.share = share
        self.roundTrips = roundTrips
    }

    /// Computes the loss from the number of packets that were answered, of those that were sent once.
    init(_ answered: Int, of sent: Int) {
        // With a share p in each direction, (1 - p)² are answered.
        self.init(share: 1 - (Double(answered) / Double(sent)).squareRoot(), roundTrips: sent)
    }

    /// The percentage of round trips that were answered.
    var percentageAnswered: Int { Int(((1 - share) * (1 - share) * 100).rounded()) }

    /// Whether this loss may be why a number of packets, one after the other, are not answered.
    ///
    /// A twentieth is the probability that the percentages allow for, too.
    func mayExplainSilence(of packets: Int) -> Bool {
        var chance = 1.0
        for _ in 0..<packets { chance *= Double(percentages.most) / 100 }
        return chance > 0.05
    }

    /// The percentages of round trips between which the loss is, in 19 of 20 measurements (Wilson's interval).
    var percentages: (least: Int, most: Int) {
        let number = Double(roundTrips)
        let lost = 1 - (1 - share) * (1 - share)
        // The number of standard deviations on either side that leaves out one measurement in twenty.
        let deviations = 1.96
        let squared = deviations * deviations / number
        let middle = (lost + squared / 2) / (1 + squared)
        let distance = deviations / (1 + squared) * (lost * (1 - lost) / number + squared / (4 * number)).squareRoot()
        return (
            Int((max(0, middle - distance) * 100).rounded(.down)), Int((min(1, middle + distance) * 100).rounded(.up))
        )
    }
}

extension ProbeError {
    /// Whether a loss of packets may be the cause: no answer came in time, or the C library gave up.
    var mayBeLoss: Bool { [.timedOut, .dnsSilent, .nameResolution].contains(reason) }
}

extension PacketLoss: CustomStringConvertible {
    /// One sentence for a user.
    package var description: String {
        "About \(percentages.least) to \(percentages.most) % of packets or their answers are lost."
    }
}
