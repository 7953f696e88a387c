//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if AsyncHTTPClient
public import AsyncHTTPClient
public import Dialtone
public import FoundationEssentials
public import NIOCore
import NIOHTTP1

extension NetworkRequester {
    /// Asks for JSON.
    ///
    /// - Parameters:
    ///   - type: what the body of a successful answer is decoded as.
    ///   - request: what is asked.
    ///   - client: who asks.
    ///   - timeout: how long it may take until the response's head is there.
    ///   - maximumBodySize: how many bytes the body may have; more are an error of the request.
    ///   - decoder: reads the body.
    /// - Returns: the decoded body.
    /// - Throws: what became of it instead.
    public func request<Value: Decodable>(
        _ type: Value.Type, for request: HTTPClientRequest, client: HTTPClient = .shared,
        timeout: TimeAmount = .seconds(60), maximumBodySize: Int = 16 << 20, decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkRequestError) -> Value {
        try await self.request(type, to: try? HostTarget(request.url), decoder: decoder) {
            let response = try await client.execute(request, timeout: timeout)
            let body = try await response.body.collect(upTo: maximumBodySize)
            return RequestReply(status: Int(response.status.code), body: Data(body.readableBytesView))
        }
    }
}
#endif
