//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if AsyncHTTPClient
public import AsyncHTTPClient
public import Dialtone
public import NIOCore

extension HTTPClient {
    /// Makes a request when there is connectivity for it, and once more when it fails for want of that.
    ///
    /// ```swift
    /// let response = try await client.execute(request, timeout: .seconds(30), waiting: WaitingPolicy(request))
    /// ```
    ///
    /// The client itself tries to connect until the timeout, as its configuration says
    /// (`connectionPool.retryConnectionEstablishment`); an attempt here is what comes after that.
    ///
    /// It ends with the response's head, and a body that breaks off is the reader's to see: to have the reading repeated too,
    /// use the form with `read`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timeout: how long each attempt may take; the waits do not count.
    ///   - policy: what to wait for, and how long; see `WaitingPolicy.init(_:_:deadline:)` for a request's own.
    ///   - room: where to wait.
    ///   - onWaiting: called once for each wait, with the reason; it may give the work up as stale.
    /// - Returns: the response, of whatever status.
    /// - Throws: as `withConnectivity`.
    public func execute(
        _ request: HTTPClientRequest, timeout: TimeAmount, waiting policy: WaitingPolicy,
        in room: WaitingRoom = .shared,
        onWaiting: (WaitReason) async -> WaitDecision = { _ in .keepWaiting }
    ) async throws -> HTTPClientResponse {
        try await execute(request, timeout: timeout, waiting: policy, in: room, onWaiting: onWaiting) { $0 }
    }

    /// The same, with the reading of the response as part of the work that is repeated.
    ///
    /// ```swift
    /// let body = try await client.execute(request, timeout: .seconds(30), waiting: WaitingPolicy(request)) {
    ///     try await $0.body.collect(upTo: 1 << 20)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timeout: how long each attempt may take until the response's head is there; the waits do not count.
    ///   - policy: what to wait for, and how long.
    ///   - room: where to wait.
    ///   - onWaiting: called once for each wait, with the reason; it may give the work up as stale.
    ///   - read: reads the response; every attempt has one of its own.
    /// - Returns: what was read.
    /// - Throws: as `withConnectivity`.
    public func execute<Value>(
        _ request: HTTPClientRequest, timeout: TimeAmount, waiting policy: WaitingPolicy,
        in room: WaitingRoom = .shared,
        onWaiting: (WaitReason) async -> WaitDecision = { _ in .keepWaiting },
        read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        try await withConnectivity(policy, in: room, onWaiting: onWaiting) {
            try await read(execute(request, timeout: timeout))
        }
    }
}
#endif
