// SPDX-License-Identifier: Apache-2.0

/// The response to an unreadable request; the connection ends after it.
struct RequestError: Error, Hashable, Sendable {
    /// The status of the response.
    let status: Int
    /// A description of the problem for the client's user.
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
