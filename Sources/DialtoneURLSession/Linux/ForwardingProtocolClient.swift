// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import FoundationNetworking
import SystemSupport

/// Receives a loader's events and forwards them to Foundation.
final class ForwardingProtocolClient: NSObject, URLProtocolClient {
    private let client: any URLProtocolClient
    private let waiting: WaitingURLTask?
    private let hasEnded: OnceFlag
    private let replace: @Sendable (URLProtocol, any Error) -> (any Error)?

    /// Creates a client that forwards events to another client.
    ///
    /// - Parameters:
    ///   - client: Foundation's client.
    ///   - waiting: is notified of responses.
    ///   - hasEnded: whether the end of the task's loading has been forwarded, which all of its clients share.
    ///   - replace: returns the error to report instead of a loader's error; nil to report none.
    init(
        _ client: any URLProtocolClient, waiting: WaitingURLTask?, hasEnded: OnceFlag,
        replace: @escaping @Sendable (URLProtocol, any Error) -> (any Error)?
    ) {
        self.client = client
        self.waiting = waiting
        self.hasEnded = hasEnded
        self.replace = replace
    }

    func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
        if let error = replace(loader, error), hasEnded.set() { client.urlProtocol(loader, didFailWithError: error) }
    }

    func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
        waiting?.end()
        // Foundation may then send the request again with a credential, and report another end.
        let isChallenge = (loader.task?.response as? HTTPURLResponse)?.isChallenge ?? false
        if isChallenge || hasEnded.set() { client.urlProtocolDidFinishLoading(loader) }
    }

    func urlProtocol(
        _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        waiting?.receivedResponse()
        guard !hasEnded.isSet else { return }
        client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy)
    }

    func urlProtocol(_ loader: URLProtocol, didLoad data: Data) {
        if !hasEnded.isSet { client.urlProtocol(loader, didLoad: data) }
    }

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

extension HTTPURLResponse {
    /// Whether Foundation may answer this response with a credential.
    ///
    /// Without a scheme that it knows, it ends the task.
    var isChallenge: Bool {
        guard statusCode == 401, let field = value(forHTTPHeaderField: "WWW-Authenticate")?.lowercased() else {
            return false
        }
        return field.contains("basic") || field.contains("digest")
    }
}
#endif
