//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How much a link can be expected to carry, in the four words of Apple's `NWPath.LinkQuality`.
public enum LinkQuality: Hashable, Sendable, CaseIterable {
    /// Nobody has measured it.
    case unknown
    /// Hardly anything.
    case minimal
    /// Most things, with interruptions.
    case moderate
    /// Whatever the link can.
    case good
}

extension LinkQuality {
    /// The signal from which a Wi-Fi link is good, in dBm: what voice and video are planned for.
    public static let goodSignal: Int8 = -67
    /// The signal from which a Wi-Fi link is moderate, in dBm: below it frames are lost.
    public static let moderateSignal: Int8 = -77
    /// How far a signal must be past a threshold before the word changes back, in dB: signals sway by this much at rest.
    static let hysteresis: Int8 = 3

    /// The quality of a Wi-Fi link.
    ///
    /// - Parameters:
    ///   - signal: in dBm; nil and impossible values are `unknown`.
    ///   - previous: what was said last, so that a signal at a threshold does not make news all the time.
    public init(signal: Int8?, previous: LinkQuality = .unknown) {
        guard let signal, signal < 0, signal > -120 else {
            self = .unknown
            return
        }
        let good = previous == .good ? Self.goodSignal - Self.hysteresis : Self.goodSignal
        let isAtLeastModerate = previous == .good || previous == .moderate
        let moderate = isAtLeastModerate ? Self.moderateSignal - Self.hysteresis : Self.moderateSignal
        self = signal >= good ? .good : signal >= moderate ? .moderate : .minimal
    }
}
