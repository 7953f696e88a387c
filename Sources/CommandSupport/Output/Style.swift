// SPDX-License-Identifier: Apache-2.0

package import Dialtone

/// Colors text for a terminal.
package struct Style {
    let isColored: Bool

    package init(isColored: Bool = Console.wantsColor) { self.isColored = isColored }

    /// The text in the color of a state, as on the page and in Grafana: green for online, yellow for limited, red for offline, grey for the others.
    package func state(_ text: String, _ state: ConnectivityState) -> String {
        switch state {
        case .online: paint(text, "32")
        // Not 90, which some themes show in the color of the background.
        case .unverified, .unknown: quiet(text)
        case .captivePortal, .limited, .requiresConnection: paint(text, "33")
        case .offline, .noInternet: paint(text, "31")
        }
    }

    /// The text in a subdued color.
    package func quiet(_ text: String) -> String { paint(text, "2") }

    private func paint(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
