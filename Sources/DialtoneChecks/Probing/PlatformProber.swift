// SPDX-License-Identifier: Apache-2.0

extension InternetCheck {
    /// The default sender of requests: `SocketHTTPProbe`, or `URLSession` on Apple platforms.
    public static var systemProber: any Prober {
        #if canImport(Darwin)
        URLSessionHTTPProbe()
        #else
        SocketHTTPProbe()
        #endif
    }
}
