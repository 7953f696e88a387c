// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import FoundationNetworking

/// Receives a loader's events and forwards them to Foundation.
final class ForwardingProtocolClient: NSObject, URLProtocolClient {
    private let client: any URLProtocolClient
    private let waiting: WaitingURLTask?
    private let replace: @Sendable (URLProtocol, any Error) -> (any Error)?

    /// Creates a client that forwards events to another client.
    ///
    /// - Parameters:
    ///   - client: Foundation's client.
    ///   - waiting: is notified of responses.
    ///   - replace: returns the error to report instead of a loader's error; nil to report none.
    init(
        _ client: any URLProtocolClient, waiting: WaitingURLTask?,
        replace: @escaping @Sendable (URLProtocol, any Error) -> (any Error)?
    ) {
        self.client = client
        self.waiting = waiting
        self.replace = replace
    }

    func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
        if let error = replace(loader, error) { client.urlProtocol(loader, didFailWithError: error) }
    }

    func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
        waiting?.end()
        client.urlProtocolDidFinishLoading(loader)
    }

    func urlProtocol(
        _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        waiting?.receivedResponse()
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
