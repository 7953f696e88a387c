// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

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
        send: () async throws -> NetworkRequester.Reply
    ) async throws(NetworkRequester.RequestError) -> Value {
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
        to peer: HostTarget? = nil, read: (NetworkRequester.Reply) throws -> Value,
        send: () async throws -> NetworkRequester.Reply
    ) async throws(NetworkRequester.RequestError) -> Value {
        let number = begin()
        let reply: NetworkRequester.Reply
        do {
            reply = try await send()
        } catch {
            throw await fail(number, peer, underlying: error) { connectivity, isPeerNear in
                // If the task was cancelled, an error of unknown meaning results from that.
                let failure = RequestFailure(error)
                if failure.kind == .unknown, Task.isCancelled { return .cancelled }
                return NetworkRequester.Outcome(failure, in: connectivity, isPeerNear: isPeerNear)
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
            NetworkRequester.Outcome(
                status: reply.status, isBodyExpected: false, in: isPeerNear ? nil : connectivity.state)
        }
    }

    /// Determines the outcome of a failed request, reports it, and creates the error.
    private func fail(
        _ number: UInt64, _ peer: HostTarget?, underlying: (any Error)?, reply: NetworkRequester.Reply? = nil,
        outcome makeOutcome: (Connectivity, _ isPeerNear: Bool) -> NetworkRequester.Outcome
    ) async -> NetworkRequester.RequestError {
        var connectivity = monitor.current
        var outcome = makeOutcome(connectivity, false)
        if outcome.report == .failed, await peer?.isOnLink() == true {
            // The failure says nothing about the Internet.
            outcome = makeOutcome(connectivity, true)
            end(number, outcome)
            return NetworkRequester.RequestError(outcome, underlying: underlying, reply: reply)
        }
        if let report = outcome.report {
            if reply?.isAuthenticated == true {
                // Whatever the reply is, its server has sent it.
                monitor.report(.proven)
            } else if verifiesFailures, report == .failed {
                connectivity = await monitor.verdict(after: .reported(report))
                outcome = makeOutcome(connectivity, false)
            } else {
                monitor.report(report)
            }
        }
        let reason = reply == nil && outcome.report == .failed ? connectivity.reasonForFailures : nil
        end(number, outcome, because: reason)
        return NetworkRequester.RequestError(outcome, reason: reason, underlying: underlying, reply: reply)
    }
}

extension Connectivity {
    /// The sentence that explains why requests fail; nil if the network is not known to be the cause.
    ///
    /// Behind a login page, the outcome itself says what to do.
    fileprivate var reasonForFailures: String? {
        switch state {
        case .offline, .requiresConnection, .limited, .noInternet: reason
        // A check was not answered in time.
        case .unverified: evidence == nil ? nil : reason
        case .unknown: cause == .socketsDenied ? reason : nil
        case .online, .captivePortal: nil
        }
    }
}

extension NetworkRequester {
    /// A server's response, received by any HTTP client.
    public struct Reply: Hashable, Sendable {
        /// The HTTP status.
        public var status: Int
        /// The body.
        public var body: Data
        /// Whether the response arrived over HTTPS and the server's certificate was validated.
        ///
        /// Such a reply proves that the Internet is reachable, and saves the monitor a check. A plain reply may be a
        /// captive portal's page.
        public var isAuthenticated: Bool

        /// Creates a reply from a client's response.
        public init(status: Int, body: Data = Data(), isAuthenticated: Bool = false) {
            self.status = status
            self.body = body
            self.isAuthenticated = isAuthenticated
        }
    }
}

/// Computes one status from requests that begin and end in any order.
///
/// A value without clocks or locks. The last request is the one that began last: the outcome of an earlier request does
/// not overwrite its outcome. A cancelled request leaves the status as if it had not been made.
struct RequestMachine: Sendable {
    private(set) var status = NetworkRequester.Status()
    private var lastBegun: UInt64 = 0
    /// The request that `status.outcome` belongs to.
    private var lastSettled: UInt64 = 0
    private var underWay: Set<UInt64> = []

    /// Records the start of a request.
    ///
    /// - Returns: its number.
    mutating func begin() -> UInt64 {
        lastBegun += 1
        underWay.insert(lastBegun)
        status.state = .checking
        return lastBegun
    }

    /// Records the end of a request; a second call for the same request has no effect.
    mutating func end(
        _ number: UInt64, _ outcome: NetworkRequester.Outcome, because reason: String? = nil, at now: Date
    ) {
        guard underWay.remove(number) != nil else { return }
        if number > lastSettled, outcome != .cancelled {
            lastSettled = number
            status.outcome = outcome
            status.reason = reason
            status.updatedAt = now
        }
        let isChecking = underWay.contains { $0 > lastSettled }
        status.state = isChecking ? .checking : status.outcome.flatMap(NetworkRequester.Status.State.init) ?? .unknown
    }
}
