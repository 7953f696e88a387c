//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Whether a link costs by volume, as NetworkManager knows or guesses (`NMMetered` in its D-Bus API).
public enum Metered: UInt32, Hashable, Sendable {
    /// Nobody has said.
    case unknown = 0
    /// Yes: somebody has set it so.
    case yes
    /// No: somebody has set it so.
    case no
    /// Probably: a modem, or a phone that says so by DHCP (option 43, `ANDROID_METERED`).
    case guessYes
    /// Probably not.
    case guessNo

    /// The answer, where there is one: a guess counts like a statement, because it is the best there is.
    public var isMetered: Bool? {
        switch self {
        case .unknown: nil
        case .yes, .guessYes: true
        case .no, .guessNo: false
        }
    }
}
