// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
public import AsyncHTTPClient
public import Dialtone
import NIOHTTP1

extension WaitingPolicy {
    /// Creates a policy for a request, which is idempotent according to its method.
    ///
    /// Its `contact` is the request's host: if the client uses a proxy, set it to that.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - level: the connectivity to wait for.
    ///   - deadline: the time after the call until which an attempt may start; nil is no limit.
    public init(_ request: HTTPClientRequest, _ level: Level = .path, deadline: Duration? = nil) {
        self.init(level, deadline: deadline, isIdempotent: request.isIdempotent)
        contact = try? HostTarget(request.url)
    }
}

extension HTTPClientRequest {
    /// Whether sending the request twice has the same effect as once, by its method (RFC 9110 section 9.2.2).
    ///
    /// False for a request with a body: the body may be a stream that can be read only once, which cannot be detected. If yours
    /// is not, as in a PUT of bytes, set `WaitingPolicy.isIdempotent`.
    public var isIdempotent: Bool {
        let methods: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
        return methods.contains(method.rawValue) && body == nil
    }
}
#endif
