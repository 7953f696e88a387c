//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if AsyncHTTPClient
public import AsyncHTTPClient
public import Dialtone
import NIOHTTP1

extension WaitingPolicy {
    /// A policy for a request: idempotent by its method.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - level: how much must be there.
    ///   - deadline: how long after the call an attempt may begin; nil is at any time.
    public init(_ request: HTTPClientRequest, _ level: Level = .path, deadline: Duration? = nil) {
        self.init(level, deadline: deadline, isIdempotent: request.isIdempotent)
    }
}

extension HTTPClientRequest {
    /// Whether sending the request twice is as good as once, by its method (RFC 9110 section 9.2.2).
    ///
    /// A request with a body is not: a client's body may be a stream, which can be read only once, and does not tell. Where
    /// yours is not, as with a PUT of bytes, say so by `WaitingPolicy.isIdempotent`.
    public var isIdempotent: Bool {
        let methods: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
        return methods.contains(method.rawValue) && body == nil
    }
}
#endif
