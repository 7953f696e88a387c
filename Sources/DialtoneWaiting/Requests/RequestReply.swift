// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

/// A server's response, received by any HTTP client.
public struct RequestReply: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The body.
    public var body: Data
    /// Whether the response arrived over HTTPS and the server's certificate was validated.
    ///
    /// Such a reply proves that the Internet is reachable, and saves the monitor a check. A plain reply may be a
    /// captive portal's page.
    public var isAuthenticated: Bool

    /// Creates a reply from a client's response.
    public init(status: Int, body: Data = Data(), isAuthenticated: Bool = false) {
        self.status = status
        self.body = body
        self.isAuthenticated = isAuthenticated
    }
}
