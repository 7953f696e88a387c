// SPDX-License-Identifier: Apache-2.0

public import Dialtone

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension WaitingPolicy {
    /// Creates a policy for a request: idempotent according to its method, over the networks that the request may use.
    ///
    /// Its `contact` is the request's host, or the proxy from the environment.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - level: the required level of connectivity.
    ///   - deadline: the time limit for the start of an attempt, measured from the call; nil is no limit.
    public init(_ request: URLRequest, _ level: Level = .path, deadline: Duration? = nil) {
        self.init(level, deadline: deadline, isIdempotent: request.isIdempotent)
        contact = request.url.flatMap { HostTarget.contact(for: $0) }
        interfaces.allowsCellular = request.allowsCellularAccess
        interfaces.allowsExpensive = request.allowsExpensiveNetworkAccess
        interfaces.allowsConstrained = request.allowsConstrainedNetworkAccess
        #if !canImport(Darwin)
        interfaces.allowsUltraConstrained = request.allowsUltraConstrainedNetworkAccess
        #endif
    }
}

extension URLRequest {
    /// Whether sending the request twice has the same effect as once, by its method (RFC 9110 section 9.2.2).
    ///
    /// A request whose body is a stream is not idempotent, because the stream can be read only once.
    public var isIdempotent: Bool {
        let methods: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
        return methods.contains(httpMethod?.uppercased() ?? "GET") && httpBodyStream == nil
    }
}
