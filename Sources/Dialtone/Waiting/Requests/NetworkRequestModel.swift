// SPDX-License-Identifier: Apache-2.0

public import Observation

extension NetworkRequester {
    /// The status of a requester as an observable object, for SwiftUI and other users of the Observation module.
    ///
    /// ```swift
    /// let model = NetworkRequester.Model()
    /// let button = {
    ///     Task { try await model.requester.request(Weather.self) { try await fetch() } }
    /// }
    /// withObservationTracking {
    ///     print(model.status.advice.instruction)
    /// } onChange: {
    ///     print("about to change")
    /// }
    /// ```
    ///
    /// It changes on the main actor.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Observable
    public final class Model {
        /// The status of the last request.
        public private(set) var status: NetworkRequester.Status
        /// The requester that makes the requests.
        @ObservationIgnored public let requester: NetworkRequester

        @ObservationIgnored private var following: Task<Void, Never>?

        /// Creates a model that observes a requester for as long as the model exists.
        public init(_ requester: NetworkRequester = NetworkRequester()) {
            self.requester = requester
            status = requester.status
            let updates = requester.updates()
            following = Task { [weak self] in
                for await status in updates { self?.status = status }
            }
        }

        deinit { following?.cancel() }
    }
}
