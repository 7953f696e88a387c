// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
public import AsyncHTTPClient
public import Dialtone
public import FoundationEssentials
public import NIOCore
import NIOHTTP1

extension NetworkRequester {
    /// Requests JSON.
    ///
    /// - Parameters:
    ///   - type: the type to decode from the body of a successful response.
    ///   - request: the request.
    ///   - client: the client that makes it.
    ///   - timeout: the time limit for the response's head.
    ///   - maximumBodySize: the maximum size of the body in bytes; a larger one is an error of the request.
    ///   - decoder: decodes the body.
    /// - Returns: the decoded body.
    /// - Throws: the request's failure.
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
