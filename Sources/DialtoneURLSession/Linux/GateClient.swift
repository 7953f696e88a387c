//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)
import Foundation
import FoundationNetworking

/// Hears what a loader tells, and passes it on to Foundation.
final class GateClient: NSObject, URLProtocolClient {
    private let client: any URLProtocolClient
    private let passage: GatePassage?
    private let judge: @Sendable (any Error) -> (any Error)?

    /// Makes a client before another.
    ///
    /// - Parameters:
    ///   - client: Foundation's own.
    ///   - passage: who wants to know of responses.
    ///   - judge: makes of a failure what is told; nil for nothing.
    init(
        _ client: any URLProtocolClient, passage: GatePassage?,
        judge: @escaping @Sendable (any Error) -> (any Error)?
    ) {
        self.client = client
        self.passage = passage
        self.judge = judge
    }

    func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
        if let error = judge(error) { client.urlProtocol(loader, didFailWithError: error) }
    }

    func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
        passage?.end()
        client.urlProtocolDidFinishLoading(loader)
    }

    func urlProtocol(
        _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        passage?.noteResponse()
        client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy)
    }

    func urlProtocol(_ loader: URLProtocol, didLoad data: Data) { client.urlProtocol(loader, didLoad: data) }

    func urlProtocol(_ loader: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        client.urlProtocol(loader, wasRedirectedTo: request, redirectResponse: redirectResponse)
    }

    func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
        client.urlProtocol(loader, cachedResponseIsValid: cachedResponse)
    }

    func urlProtocol(_ loader: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        client.urlProtocol(loader, didReceive: challenge)
    }

    func urlProtocol(_ loader: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        client.urlProtocol(loader, didCancel: challenge)
    }
}
#endif
