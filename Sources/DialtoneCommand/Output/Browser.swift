// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import SystemSupport

/// The user's web browser.
enum Browser {
    /// Opens a page; returns false if there is no desktop.
    ///
    /// The URL is untrusted: it is passed as one argument, without a shell, and only if it is an http or https URL.
    static func open(_ url: URL) -> Bool {
        guard url.scheme == "http" || url.scheme == "https", hasDesktop else { return false }
        return ChildProcess.startDetached([opener, url.absoluteString])
    }

    #if canImport(Darwin)
    private static let opener = "/usr/bin/open"
    private static let hasDesktop = true
    #else
    private static let opener = "xdg-open"
    private static let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { (name: String) in
        ProcessEnvironment.value(name).map { !$0.isEmpty } ?? false
    }
    #endif
}
