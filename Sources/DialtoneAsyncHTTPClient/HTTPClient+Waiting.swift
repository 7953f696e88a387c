// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
public import AsyncHTTPClient
public import Dialtone
public import NIOCore

extension HTTPClient {
    /// Makes a request once there is connectivity, and retries it if it fails because connectivity was lost.
    ///
    /// ```swift
    /// let response = try await client.execute(request, timeout: .seconds(30), waiting: WaitingPolicy(request))
    /// ```
    ///
    /// Each attempt uses the client's own connection retries, until the timeout
    /// (`connectionPool.retryConnectionEstablishment`).
    ///
    /// The call ends with the response's head; if the body breaks off, the reader of the body gets the error. To retry the reading
    /// as well, use the variant with `read`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timeout: the time limit for each attempt, without the waits.
    ///   - policy: what to wait for, and how long; see `WaitingPolicy.init(_:_:deadline:)` for a policy that fits a request.
    ///   - room: the waiting room to use.
    ///   - onWaiting: called once for each wait, with the reason; it can give up the request.
    /// - Returns: the response, with any status.
    /// - Throws: as `withConnectivity`.
    public func execute(
        _ request: HTTPClientRequest, timeout: TimeAmount, waiting policy: WaitingPolicy,
        in room: WaitingRoom = .shared,
        onWaiting: (WaitingPolicy.Obstacle) async -> WaitDecision = { _ in .keepWaiting }
    ) async throws -> HTTPClientResponse {
        try await execute(request, timeout: timeout, waiting: policy, in: room, onWaiting: onWaiting) { $0 }
    }

    /// Makes a request and reads its response once there is connectivity, and retries both.
    ///
    /// ```swift
    /// let body = try await client.execute(request, timeout: .seconds(30), waiting: WaitingPolicy(request)) {
    ///     try await $0.body.collect(upTo: 1 << 20)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timeout: the time limit for each attempt to get the response's head, without the waits.
    ///   - policy: what to wait for, and how long.
    ///   - room: the waiting room to use.
    ///   - onWaiting: called once for each wait, with the reason; it can give up the request.
    ///   - read: reads the response; called once for each attempt that gets one.
    /// - Returns: the result of `read`.
    /// - Throws: as `withConnectivity`.
    public func execute<Value>(
        _ request: HTTPClientRequest, timeout: TimeAmount, waiting policy: WaitingPolicy,
        in room: WaitingRoom = .shared,
        onWaiting: (WaitingPolicy.Obstacle) async -> WaitDecision = { _ in .keepWaiting },
        read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        try await withConnectivity(policy, in: room, onWaiting: onWaiting) {
            let response = try await execute(request, timeout: timeout)
            WaitingRoom.markStarted()
            return try await read(response)
        }
    }
}
#endif
