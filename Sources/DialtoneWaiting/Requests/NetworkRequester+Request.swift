// SPDX-License-Identifier: Apache-2.0

public import DialtoneSupport

extension NetworkRequester {
    /// Performs a request, and decodes the JSON body of its response.
    ///
    /// - Parameters:
    ///   - type: the type to decode the body of a successful answer (status 200 to 299) as.
    ///   - peer: the server, if known: a server on this machine or on one of its links needs no path.
    ///   - decoder: decodes the body.
    ///   - send: performs the request with any client, and throws the client's errors.
    /// - Returns: the decoded body.
    /// - Throws: the outcome of a request that failed.
    public func request<Value: Decodable>(
        _ type: Value.Type, to peer: HostTarget? = nil, decoder: JSONDecoder = JSONDecoder(),
        send: () async throws -> RequestReply
    ) async throws(NetworkRequestError) -> Value {
        try await request(to: peer, read: { try decoder.decode(type, from: $0.body) }, send: send)
    }

    /// Performs a request whose response the caller reads.
    ///
    /// - Parameters:
    ///   - peer: the server, if known: a server on this machine or on one of its links needs no path.
    ///   - read: reads a successful answer (status 200 to 299); an error that it throws means that the body was not as
    ///     expected.
    ///   - send: performs the request with any client, and throws the client's errors.
    /// - Returns: the result of `read`.
    /// - Throws: the outcome of a request that failed.
    public func request<Value>(
        to peer: HostTarget? = nil, read: (RequestReply) throws -> Value, send: () async throws -> RequestReply
    ) async throws(NetworkRequestError) -> Value {
        let number = begin()
        let reply: RequestReply
        do {
            reply = try await send()
        } catch {
            throw await fail(number, peer, underlying: error) { connectivity, isPeerNear in
                // If the task was cancelled, an error of unknown meaning results from that.
                let failure = RequestFailure(error)
                if failure.kind == .unknown, Task.isCancelled { return .cancelled }
                return RequestOutcome(failure, in: connectivity, isPeerNear: isPeerNear)
            }
        }
        var underlying: (any Error)?
        if 200..<300 ~= reply.status {
            do {
                let value = try read(reply)
                monitor.report(reply.isAuthenticated ? .proven : .reached)
                end(number, .delivered)
                return value
            } catch {
                underlying = error
            }
        }
        throw await fail(number, peer, underlying: underlying, reply: reply) { connectivity, isPeerNear in
            RequestOutcome(
                status: reply.status, isBodyExpected: false, in: isPeerNear ? nil : connectivity.state)
        }
    }

    /// Determines the outcome of a failed request, reports it, and creates the error.
    private func fail(
        _ number: UInt64, _ peer: HostTarget?, underlying: (any Error)?, reply: RequestReply? = nil,
        outcome makeOutcome: (Connectivity, _ isPeerNear: Bool) -> RequestOutcome
    ) async -> NetworkRequestError {
        var outcome = makeOutcome(monitor.current, false)
        if outcome.report == .failed, await peer?.isOnLink() == true {
            // The failure says nothing about the Internet.
            outcome = makeOutcome(monitor.current, true)
        } else if let report = outcome.report {
            if verifiesFailures, report == .failed {
                outcome = makeOutcome(await monitor.verify(after: report), false)
            } else {
                monitor.report(report == .reached && reply?.isAuthenticated == true ? .proven : report)
            }
        }
        end(number, outcome)
        return NetworkRequestError(outcome, underlying: underlying, reply: reply)
    }
}
