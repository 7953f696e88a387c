//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How much a stranger may ask of the server.
struct HTTPLimits: Hashable, Sendable {
    /// The longest request line and fields together, in bytes.
    var headBytes = 16_384
    /// The longest target of a request, in bytes.
    var targetBytes = 2048
    /// The most fields.
    var fieldCount = 64
    /// The longest body, in bytes.
    var bodyBytes = 16_384
    /// How long a request may take to come in, from its first byte or the connection's beginning.
    var requestTime = Duration.seconds(10)
    /// How long a connection may rest between requests.
    var idleTime = Duration.seconds(60)
    /// How long a peer may take to accept what it is sent; longer, and it is cut off.
    var writeTime = Duration.seconds(20)
    /// How many bytes of answers may wait at once to be sent, to all peers together.
    var unsentBytes = 32 * 1_048_576
    /// How many connections there may be at once.
    var connections = 1024
    /// How many of them may be streams of events.
    var streams = 768
    /// How long requests that are under way may go on when the server stops.
    var grace = Duration.seconds(3)
}
