// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// How serious a state is: the color of the page, of the dot and of the icon, as in the terminal and in Grafana.
enum Severity: String, Hashable, Sendable, CaseIterable {
    case good, warn, bad, unsure

    init(_ state: ConnectivityState) {
        switch state {
        case .online: self = .good
        case .captivePortal, .requiresConnection, .limited: self = .warn
        case .noInternet, .offline: self = .bad
        case .unverified, .unknown: self = .unsure
        }
    }

    /// The icon of the page for a state, as a `data:` URL; each severity has its own shape and color.
    var icon: String {
        let (color, line) =
            switch self {
            case .good: ("0a6b55", "M5 16 q5.5 -16 11 0 t11 0")
            case .warn: ("8a5200", "M16 6 v12 M16 24.5 v.5")
            case .bad: ("b3261e", "M9 9 L23 23 M23 9 L9 23")
            case .unsure: ("5d5850", "M6 16 h.5 M16 16 h.5 M26 16 h.5")
            }
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='#\(color)'/>"
            + "<path d='\(line)' fill='none' stroke='#fff' stroke-width='4' stroke-linecap='round'/></svg>"
        return "data:image/svg+xml,"
            + drawing.replacing("#", with: "%23").replacing("<", with: "%3C")
            .replacing(">", with: "%3E")
    }
}
