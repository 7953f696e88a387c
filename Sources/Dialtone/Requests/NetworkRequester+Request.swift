//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import FoundationEssentials

extension NetworkRequester {
    /// Makes a request whose answer is JSON.
    ///
    /// - Parameters:
    ///   - type: what the body of a successful answer (status 200 to 299) is decoded as.
    ///   - peer: who is asked, where that is known: a peer on this machine or on one of its links needs no path.
    ///   - decoder: reads the body.
    ///   - send: makes the request with whatever client, and throws what the client throws.
    /// - Returns: the decoded body.
    /// - Throws: what became of it instead.
    public func request<Value: Decodable>(
        _ type: Value.Type, to peer: HostTarget? = nil, decoder: JSONDecoder = JSONDecoder(),
        send: () async throws -> RequestReply
    ) async throws(NetworkRequestError) -> Value {
        try await request(to: peer, read: { try decoder.decode(type, from: $0.body) }, send: send)
    }

    /// Makes a request whose answer is read by the caller.
    ///
    /// - Parameters:
    ///   - peer: who is asked, where that is known: a peer on this machine or on one of its links needs no path.
    ///   - read: reads a successful answer (status 200 to 299); what it throws means that this was not what was expected.
    ///   - send: makes the request with whatever client, and throws what the client throws.
    /// - Returns: what was read.
    /// - Throws: what became of it instead.
    public func request<Value>(
        to peer: HostTarget? = nil, read: (RequestReply) throws -> Value, send: () async throws -> RequestReply
    ) async throws(NetworkRequestError) -> Value {
        let number = begin()
        let reply: RequestReply
        do {
            reply = try await send()
        } catch {
            throw await settle(number, peer, underlying: error) { connectivity, isPeerNear in
                // An error that tells nothing, of a task that was cancelled, is about that.
                let failure = RequestFailure(error)
                if failure.kind == .unknown, Task.isCancelled { return .cancelled }
                return RequestOutcome(failure, in: connectivity, isPeerNear: isPeerNear)
            }
        }
        var underlying: (any Error)?
        if 200..<300 ~= reply.status {
            do {
                let value = try read(reply)
                monitor.report(.reached)
                end(number, .delivered)
                return value
            } catch {
                underlying = error
            }
        }
        throw await settle(number, peer, underlying: underlying, reply: reply) { connectivity, isPeerNear in
            RequestOutcome(
                status: reply.status, isBodyExpected: false, in: isPeerNear ? nil : connectivity.state)
        }
    }

    /// Finds out what became of a request, tells everybody, and makes the error of it.
    private func settle(
        _ number: UInt64, _ peer: HostTarget?, underlying: (any Error)?, reply: RequestReply? = nil,
        judge: (Connectivity, _ isPeerNear: Bool) -> RequestOutcome
    ) async -> NetworkRequestError {
        var outcome = judge(monitor.current, false)
        if outcome.report == .failed, await isNear(peer) {
            // Nothing that a monitor of the Internet wants to hear of.
            outcome = judge(monitor.current, true)
        } else if let report = outcome.report {
            if verifiesFailures, report == .failed {
                outcome = judge(await monitor.verify(after: report), false)
            } else {
                monitor.report(report)
            }
        }
        end(number, outcome)
        return NetworkRequestError(outcome, underlying: underlying, reply: reply)
    }

    /// Whether the peer is this machine, or on one of its links, so that no path is needed.
    private func isNear(_ peer: HostTarget?) async -> Bool {
        guard let peer, let route = await HostReachability(peer).check().route.value else { return false }
        return route.isLocalAddress || route.isDirect
    }
}
