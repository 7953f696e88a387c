// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || Publishers
public import Dialtone

extension NetworkRequester {
    /// Publishes the status of the last request: the current one first, then each change.
    ///
    /// A subscriber without demand later receives the newest status. Values arrive on an arbitrary thread; use
    /// `receive(on:)`.
    public var publisher: AnyPublisher<RequestStatus, Never> {
        AnyPublisher(LatestElements(differing: updates()))
    }
}
#endif
