// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)

import DialtoneURLSession
public import Foundation
public import SwiftUI

/// Shows the state of the connection, the login page of a captive portal, and the outcome of a request.
public struct StatusView: View {
    @State private var connectivity = ConnectivityModel()
    @State private var request = NetworkRequester.Model()
    @Environment(\.openURL) private var openURL

    private let url: URL

    /// Creates a view whose button requests a URL.
    ///
    /// - Parameter url: where the request button sends its request, by GET; the response is JSON such as `{"degrees":21}`.
    public init(url: URL) { self.url = url }

    /// The banner and the buttons.
    public var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Label(banner.title, systemImage: banner.image)
                .foregroundStyle(connectivity.isOnline ? Color.green : Color.orange)
            Text(connectivity.reason ?? "")
            if let portal = connectivity.connectivity.evidence?.portal {
                Button("Log in to this network") { openURL(portal) }
            }
            Button("Send a request") { Task { await send() } }
                .disabled(request.status.state == .checking)
            Text(request.status.advice.title)
        }
    }

    private var banner: (title: String, image: String) {
        switch connectivity.state {
        case .unknown: ("Checking the connection", "wifi")
        case .online: ("Online", "wifi")
        case .unverified: ("Not verified", "wifi")
        case .requiresConnection: ("Not connected", "wifi.exclamationmark")
        case .captivePortal: ("Login required", "lock")
        case .noInternet: ("No Internet", "wifi.exclamationmark")
        case .limited: ("Limited", "wifi.exclamationmark")
        case .offline: ("Offline", "wifi.slash")
        @unknown default: ("Not verified", "wifi")
        }
    }

    /// Sends the request; the model shows its outcome, so there is nothing to do about an error here.
    private func send() async {
        _ = try? await request.requester.request(Weather.self, from: url)
    }

    private struct Weather: Decodable { let degrees: Double }
}

#endif
