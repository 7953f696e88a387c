//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone

#if canImport(FoundationNetworking)
public import FoundationEssentials
public import FoundationNetworking
#else
public import Foundation
#endif

extension NetworkRequester {
    /// Asks a URL for JSON.
    ///
    /// ```swift
    /// print(try await requester.request(Weather.self, from: url).degrees)
    /// ```
    ///
    /// - Parameters:
    ///   - type: what the body of a successful answer is decoded as.
    ///   - url: what is asked, by GET.
    ///   - session: who asks; one that waits for connectivity leaves the status at `checking` as long.
    ///   - decoder: reads the body.
    /// - Returns: the decoded body.
    /// - Throws: what became of it instead.
    public func request<Value: Decodable>(
        _ type: Value.Type, from url: URL, session: URLSession = .shared, decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkRequestError) -> Value {
        try await request(type, for: URLRequest(url: url), session: session, decoder: decoder)
    }

    /// Makes a request for JSON; see `request(_:from:session:decoder:)`.
    public func request<Value: Decodable>(
        _ type: Value.Type, for request: URLRequest, session: URLSession = .shared,
        decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkRequestError) -> Value {
        try await self.request(type, to: request.url.flatMap { try? HostTarget($0) }, decoder: decoder) {
            let (body, response) = try await session.data(for: request)
            // What is no HTTP, such as a file, has no status, and is there or is not.
            return RequestReply(status: (response as? HTTPURLResponse)?.statusCode ?? 200, body: body)
        }
    }
}
