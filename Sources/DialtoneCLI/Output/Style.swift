//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone

/// Colours for a terminal, or none.
struct Style {
    /// Whether there are colours.
    let isColored: Bool

    /// A state's words in its colour: green is well, yellow is half, red is not.
    func state(_ text: String, _ state: ConnectivityState) -> String {
        switch state {
        case .online, .unverified: paint(text, "32")
        case .captivePortal, .limited, .requiresConnection: paint(text, "33")
        case .offline: paint(text, "31")
        case .unknown: paint(text, "35")
        }
    }

    /// Text of less importance.
    func quiet(_ text: String) -> String { paint(text, "2") }

    private func paint(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
