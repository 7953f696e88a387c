// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Testing

@testable import DialtoneURLSession

/// Tests the consequences of a loader's failure, as tables.
struct FailedLoadingTests {
    /// The decision, without its values.
    enum Kind: Hashable { case end(URLError.Code), mayRetry(URLError.Code) }

    private static func decision(
        _ code: URLError.Code, _ facts: TransferFacts? = TransferFacts(), hasResponse: Bool = false,
        isIdempotent: Bool = true, mayWait: Bool = true, obstacle: WaitingPolicy.Obstacle? = nil
    ) -> Kind? {
        let failed = FailedLoading(
            error: URLError(code), facts: facts, hasResponse: hasResponse, isIdempotent: isIdempotent,
            mayWait: mayWait, obstacle: obstacle)
        return switch failed.decision {
        case .end(let error): (error as? URLError).map { .end($0.code) }
        case .mayRetry(let failed): .mayRetry(failed.error.code)
        }
    }

    private static let offline = WaitingPolicy.Obstacle.offline(nil)
    private static let connectivityCodes: [URLError.Code] = [
        .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .notConnectedToInternet,
    ]

    @Test(arguments: connectivityCodes)
    func `a failure to connect waits while there is an obstacle, if the task may wait`(code: URLError.Code) {
        #expect(Self.decision(code, obstacle: Self.offline) == .mayRetry(code))
        #expect(Self.decision(code, mayWait: false, obstacle: Self.offline) == .end(.notConnectedToInternet))
    }

    @Test(arguments: connectivityCodes)
    func `without an obstacle the cause decides, except after a refusal`(code: URLError.Code) {
        #expect(Self.decision(code) == (code == .cannotConnectToHost ? .end(code) : .mayRetry(code)))
        #expect(Self.decision(code, mayWait: false) == .end(code))
    }

    @Test(arguments: connectivityCodes)
    func `once a request has been sent or answered, its failure is the task's error`(code: URLError.Code) {
        #expect(Self.decision(code, TransferFacts(sentBytes: 1), obstacle: Self.offline) == .end(code))
        #expect(Self.decision(code, hasResponse: true, obstacle: Self.offline) == .end(code))
    }

    @Test func `without facts, only a request that may be repeated waits`() {
        #expect(Self.decision(.timedOut, nil, isIdempotent: true, obstacle: Self.offline) == .mayRetry(.timedOut))
        #expect(Self.decision(.timedOut, nil, isIdempotent: false, obstacle: Self.offline) == .end(.timedOut))
        // This code shows that nothing was sent.
        #expect(
            Self.decision(.cannotFindHost, nil, isIdempotent: false, obstacle: Self.offline)
                == .mayRetry(.cannotFindHost))
    }

    /// Only a scheme that Foundation knows makes it send the request again; the end of any other response is that of its task.
    @Test(
        arguments: [
            (401, "Basic realm=\"a\"", true), (401, "Bearer, digest realm=\"a\"", true), (401, "Bearer", false),
            (401, nil, false),
            (403, "Basic realm=\"a\"", false),
        ] as [(Int, String?, Bool)])
    func `a challenge names a scheme`(status: Int, field: String?, isChallenge: Bool) throws {
        let url = try #require(URL(string: "http://server.test/"))
        let fields = field.map { ["www-authenticate": $0] }
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
        #expect(response?.isChallenge == isChallenge)
    }

    @Test(arguments: [URLError.Code.badURL, .serverCertificateUntrusted, .cancelled])
    func `other failures end the task`(code: URLError.Code) {
        #expect(Self.decision(code, obstacle: Self.offline) == .end(code))
    }

    @Test(arguments: [(ETIMEDOUT, URLError.Code.timedOut), (ECONNREFUSED, .cannotConnectToHost)])
    func `the facts specify an unknown error`(number: Int32, code: URLError.Code) {
        #expect(Self.decision(.unknown, TransferFacts(connectError: number), mayWait: false) == .end(code))
        // Foundation did not call it a refusal, so the cause must be determined.
        #expect(Self.decision(.unknown, TransferFacts(connectError: number)) == .mayRetry(code))
    }

    @Test(
        arguments: [
            (TransferFacts(certificateError: 18), URLError.Code.serverCertificateUntrusted),
            (TransferFacts(connectError: ENETUNREACH, certificateError: 20), .serverCertificateUntrusted),
            (TransferFacts(certificateError: 10), .serverCertificateHasBadDate),
            (TransferFacts(certificateError: 9), .serverCertificateNotYetValid),
            (TransferFacts(isConnected: true), .secureConnectionFailed),
            // Before a certificate has arrived, and after an attempt by the other IP version.
            (
                TransferFacts(certificateError: 1, isConnected: true), .secureConnectionFailed
            ),
            (
                TransferFacts(
                    connectError: ENETUNREACH, certificateError: 1, isConnected: true),
                .secureConnectionFailed
            ),
            (
                TransferFacts(
                    connectError: ECONNRESET, certificateError: 1, isConnected: true),
                .networkConnectionLost
            ),
        ])
    func `a handshake that fails ends the task`(facts: TransferFacts, code: URLError.Code) {
        #expect(Self.decision(.unknown, facts) == .end(code))
        #expect(Self.decision(.unknown, facts, mayWait: false) == .end(code))
    }

    @Test func `an error of another kind stays`() {
        let failed = FailedLoading(
            error: CancellationError(), facts: nil, hasResponse: false, isIdempotent: true, mayWait: true, obstacle: nil
        )
        if case .end(let error) = failed.decision {
            #expect(error is CancellationError)
        } else {
            Issue.record("\(failed.decision)")
        }
    }

    @Test(arguments: [
        (HostError.Code.nameNotFound, RequestFailure.Kind.nameNotFound, URLError.Code.cannotFindHost),
        (.unreachable, .cannotConnect, .cannotConnectToHost), (.refused, .timedOut, .timedOut),
    ])
    func `the cause specifies the error of a failed connection`(
        cause: HostError.Code, kind: RequestFailure.Kind, code: URLError.Code
    ) {
        let cause = HostError(cause)
        let failed = FailedConnection(error: URLError(.timedOut), failure: RequestFailure(.timedOut))
        let error = failed.error(RequestFailure(kind), because: cause)
        #expect(error.code == code)
        #expect(error.userInfo[NSLocalizedFailureReasonErrorKey] as? String == cause.description)
        #expect(failed.error(failed.failure, because: nil).code == .timedOut)
    }
}

/// When a connection counts as lost, without clocks.
struct ConnectionLossTests {
    @Test func `the limit counts from the loss, and starts again after a return`() {
        var loss = ConnectionLoss()
        #expect(loss.remaining(of: .seconds(10), at: .seconds(99)) == nil)
        let isFirst = loss.update(isCarried: true, at: .seconds(1))
        #expect(!isFirst)
        let isLoss = loss.update(isCarried: false, at: .seconds(2))
        let isNew = loss.update(isCarried: false, at: .seconds(5))
        #expect(isLoss && !isNew)
        #expect(loss.remaining(of: .seconds(10), at: .seconds(8)) == .seconds(4))
        #expect(loss.remaining(of: .seconds(10), at: .seconds(12)) == .zero)
        #expect(loss.remaining(of: .zero, at: .seconds(2)) == .zero)
        let isReturn = loss.update(isCarried: true, at: .seconds(9))
        #expect(isReturn && loss.remaining(of: .seconds(10), at: .seconds(60)) == nil)
        _ = loss.update(isCarried: false, at: .seconds(60))
        #expect(loss.remaining(of: .seconds(10), at: .seconds(61)) == .seconds(9))
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", false), ("192.0.2.2", "192.0.2.2", false), ("fe80::1", "fe80::2", false),
        ("192.0.2.2", "203.0.113.1", true),
    ])
    func `a connection is watched if its packets leave this machine`(
        local: String, remote: String, isWatched: Bool
    ) throws {
        let (local, remote) = (try #require(NetworkAddress(local)), try #require(NetworkAddress(remote)))
        #expect(HostEnvironment.canWatchConnection(from: local, to: remote) == isWatched)
    }
}
#endif
