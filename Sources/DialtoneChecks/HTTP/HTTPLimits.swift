// SPDX-License-Identifier: Apache-2.0

/// The limits of a response.
package struct HTTPLimits: Hashable, Sendable {
    /// Bytes of status lines, header fields and trailers, informational responses included.
    package var headerBytes = 16 * 1024
    /// Number of header fields, unreadable ones included.
    package var fields = 100
    /// Bytes of the body that are kept; the rest is not read.
    package var bodyBytes = 64 * 1024

    package init() {}
}

/// How a response breaks the rules of HTTP/1.1 (RFC 9112) or the limits.
package enum HTTPViolation: Error, Hashable, Sendable {
    /// The first line is not a status line.
    case statusLine
    /// A header field that may define the end of the body is malformed.
    case field
    /// There are more bytes or fields in the header section than allowed.
    case headersTooLarge
    /// The lengths contradict each other or are not numbers.
    case length
    /// A chunk of the body is malformed (RFC 9112, section 7.1).
    case chunk
    /// The connection ended inside the header section.
    case endedEarly
}
