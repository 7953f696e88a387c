//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Observation

/// The status of a requester as an observable object, for SwiftUI and whatever else follows the Observation module.
///
/// ```swift
/// let model = NetworkRequestModel()
/// let button = {
///     Task { try await model.requester.request(Weather.self) { try await fetch() } }
/// }
/// withObservationTracking {
///     print(model.status.advice().instruction)
/// } onChange: {
///     print("That is about to change.")
/// }
/// ```
///
/// It changes on the main actor.
@MainActor @Observable
public final class NetworkRequestModel {
    /// What the last request says.
    public private(set) var status: RequestStatus
    /// Who makes the requests.
    @ObservationIgnored public let requester: NetworkRequester

    @ObservationIgnored private var following: Task<Void, Never>?

    /// Observes a requester for as long as the model lives.
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
