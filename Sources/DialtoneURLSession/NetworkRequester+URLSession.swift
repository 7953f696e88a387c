// SPDX-License-Identifier: Apache-2.0

public import Dialtone

#if canImport(FoundationNetworking)
public import FoundationEssentials
public import FoundationNetworking
#else
public import Foundation
#endif

extension NetworkRequester {
    /// Requests JSON from a URL with a GET request.
    ///
    /// ```swift
    /// print(try await requester.request(Weather.self, from: url).degrees)
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type to decode the body of a successful answer as.
    ///   - url: the URL to request.
    ///   - session: the session; by default, one with Foundation's default configuration whose requests fail at once
    ///     without a path, and end when the network is lost. While a session waits for connectivity, the status stays
    ///     `checking`.
    ///   - decoder: decodes the body.
    /// - Returns: the decoded body.
    /// - Throws: the outcome of a request that failed.
    public func request<Value: Decodable>(
        _ type: Value.Type, from url: URL, session: URLSession? = nil, decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkRequester.RequestError) -> Value {
        try await request(type, for: URLRequest(url: url), session: session, decoder: decoder)
    }

    /// Performs a request, and decodes the JSON body of its response; see `request(_:from:session:decoder:)`.
    public func request<Value: Decodable>(
        _ type: Value.Type, for request: URLRequest, session: URLSession? = nil,
        decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkRequester.RequestError) -> Value {
        try await self.request(type, to: request.url.flatMap { try? HostTarget($0) }, decoder: decoder) {
            let (body, response) = try await (session ?? Self.defaultSession).data(for: request)
            // A response outside HTTP, such as a file, has no status: loading it either succeeds or fails.
            return NetworkRequester.Reply(
                status: (response as? HTTPURLResponse)?.statusCode ?? 200, body: body,
                isAuthenticated: response.url?.scheme?.lowercased() == "https")
        }
    }

    private static let defaultSession: URLSession = {
        #if canImport(Darwin)
        .shared
        #else
        URLSession(configuration: .makeFailing(ephemeral: false))
        #endif
    }()
}
