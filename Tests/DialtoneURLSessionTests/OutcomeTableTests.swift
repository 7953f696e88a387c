// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Testing

@testable import DialtoneURLSession

/// Every error code of Foundation, over every kind of path, and the outcome that users see.
struct OutcomeTableTests {
    /// An error code, and its outcome: over a path; without one; and over a path that ends at a login page.
    struct Row: Sendable, CustomStringConvertible {
        let code: Int
        let online: NetworkRequester.Outcome
        let offline: NetworkRequester.Outcome
        let portal: NetworkRequester.Outcome

        init(
            _ code: Int, _ online: NetworkRequester.Outcome, _ offline: NetworkRequester.Outcome,
            _ portal: NetworkRequester.Outcome
        ) {
            self.code = code
            (self.online, self.offline, self.portal) = (online, offline, portal)
        }

        var description: String { "\(code)" }

        var error: URLError { URLError(_nsError: NSError(domain: NSURLErrorDomain, code: code)) }
    }

    static let rows = [
        Row(-1, .failed, .offline, .captivePortal),
        Row(-999, .cancelled, .cancelled, .cancelled),
        Row(-1000, .failed, .failed, .failed),
        Row(-1001, .timedOut, .offline, .captivePortal),
        Row(-1003, .nameNotFound, .offline, .captivePortal),
        Row(-1004, .cannotConnect, .offline, .captivePortal),
        Row(-1005, .connectionLost, .offline, .captivePortal),
        Row(-1006, .nameNotFound, .offline, .captivePortal),
        Row(-1008, .failed, .offline, .captivePortal),
        Row(-1009, .offline, .offline, .offline),
        Row(-1018, .offline, .offline, .offline),
        Row(-1019, .offline, .offline, .offline),
        Row(-1020, .offline, .offline, .offline),
        Row(-1200, .tlsFailure, .tlsFailure, .captivePortal),
        Row(-1201, .tlsFailure, .tlsFailure, .captivePortal),
        Row(-1202, .tlsFailure, .tlsFailure, .captivePortal),
        Row(-1203, .tlsFailure, .tlsFailure, .captivePortal),
        Row(-1204, .tlsFailure, .tlsFailure, .captivePortal),
        Row(-1205, .tlsFailure, .tlsFailure, .captivePortal),
        Row(-1206, .tlsFailure, .tlsFailure, .captivePortal),
        Row(-2000, .failed, .offline, .captivePortal),
    ]

    @Test(arguments: rows) func `error and path together determine the outcome`(row: Row) {
        let failure = RequestFailure(row.error)
        let satisfied = [SimulatedPath.wifi, .wired, .cellular].map(\.path)
        for path in satisfied {
            #expect(NetworkRequester.Outcome(failure, over: path) == row.online)
            #expect(NetworkRequester.Outcome(failure, over: path, in: .online) == row.online)
            #expect(NetworkRequester.Outcome(failure, over: path, in: .limited) == row.online)
            #expect(NetworkRequester.Outcome(failure, over: path, in: .captivePortal) == row.portal)
        }
        for reason in PathDiagnosis.Reason.allCases {
            let path = SimulatedPath.offline(reason).path
            #expect(NetworkRequester.Outcome(failure, over: path) == row.offline)
            // A server on this machine needs no path.
            #expect(NetworkRequester.Outcome(failure, over: path, isPeerNear: true) == row.online)
        }
        // If the network state cannot be read, only the error counts.
        #expect(NetworkRequester.Outcome(failure, over: SimulatedPath.unseen.path) == row.online)
    }

    @Test(arguments: [
        (200, true, NetworkRequester.Outcome.delivered, NetworkRequester.Outcome.delivered),
        (204, true, .delivered, .delivered),
        (200, false, .unexpectedBody, .captivePortal), (304, true, .delivered, .captivePortal),
        (302, false, .unexpectedBody, .captivePortal),
        (400, true, .clientError(status: 400), .clientError(status: 400)),
        (404, false, .clientError(status: 404), .clientError(status: 404)),
        (499, true, .clientError(status: 499), .clientError(status: 499)),
        (500, true, .serverError(status: 500), .serverError(status: 500)),
        (503, false, .serverError(status: 503), .serverError(status: 503)),
        (599, true, .serverError(status: 599), .serverError(status: 599)),
        (999, true, .serverError(status: 999), .serverError(status: 999)),
        (511, true, .captivePortal, .captivePortal), (0, true, .failed, .failed), (-1, true, .failed, .failed),
        (99, true, .failed, .failed), (Int.max, true, .serverError(status: .max), .serverError(status: .max)),
        (Int.min, true, .failed, .failed),
    ])
    func `the status determines the outcome, and a portal answers in the server's place`(
        status: Int, isBodyExpected: Bool, plain: NetworkRequester.Outcome, behindPortal: NetworkRequester.Outcome
    ) {
        #expect(NetworkRequester.Outcome(status: status, isBodyExpected: isBodyExpected) == plain)
        #expect(NetworkRequester.Outcome(status: status, isBodyExpected: isBodyExpected, in: .online) == plain)
        #expect(
            NetworkRequester.Outcome(status: status, isBodyExpected: isBodyExpected, in: .captivePortal) == behindPortal
        )
    }

    @Test func `a request that provably never reached the server may be sent again`() {
        let never: Set<Int> = [-1003, -1004, -1006, -1009, -1018, -1019, -1020, -1200, -1201, -1202, -1203, -1204]
        for row in Self.rows {
            let failure = RequestFailure(row.error)
            #expect(failure.mayHaveReachedServer == !never.contains(row.code), "\(row)")
        }
    }

    @Test(arguments: [
        NetworkRequester.Outcome.delivered, .clientError(status: 404), .unexpectedBody, .offline, .timedOut,
        .nameNotFound,
        .cannotConnect, .connectionLost, .tlsFailure, .captivePortal, .cancelled, .failed,
    ])
    func `every outcome has a text`(outcome: NetworkRequester.Outcome) {
        #expect(!outcome.advice.title.isEmpty)
        #expect(outcome.advice.instruction.contains("."))
        #expect(NetworkRequester.Outcome.serverError(status: 503).advice.instruction.hasSuffix("(503)"))
    }

    @Test func `a network that was not allowed is distinguished from a missing one`() {
        for restriction in InterfacePolicy.Restriction.allCases {
            let error = URLError(WaitingPolicy.Obstacle.notAllowed(restriction))
            #expect(error.code == .notConnectedToInternet)
            #expect(error.networkUnavailableReason.map { "\($0)" } == restriction.rawValue)
            #expect(RequestFailure(error).kind == .notAllowed)
        }
        let none = URLError(WaitingPolicy.Obstacle.offline(nil))
        #expect(none.networkUnavailableReason == nil)
        #expect(RequestFailure(none).kind == .notConnected)
    }

    @Test(arguments: rows.filter { $0.code != -1 })
    func `every code has a sentence, whatever Foundation says`(row: Row) throws {
        let underlying = NSError(domain: NSURLErrorDomain, code: row.code)
        let original = NSError(
            domain: NSURLErrorDomain, code: row.code,
            userInfo: [NSLocalizedDescriptionKey: "Couldn't connect to server", NSUnderlyingErrorKey: underlying])
        for error in [row.error, URLError(_nsError: original)] {
            let described = try #require(URLError.described(error) as? URLError)
            #expect(described.code == error.code)
            let text = described.localizedDescription
            #expect(text.hasSuffix(".") && !text.contains("NSURLErrorDomain") && !text.contains("Couldn't"), "\(text)")
            // The meaning stays the same.
            #expect(RequestFailure(described) == RequestFailure(error))
        }
    }

    #if !canImport(Darwin)
    @Test(arguments: [
        ("SSL certificate problem: unable to get local issuer certificate", URLError.Code.serverCertificateUntrusted),
        ("SSL: no alternative certificate subject name matches target host name 'a.test'", .serverCertificateUntrusted),
        ("SSL certificate problem: certificate has expired", .serverCertificateHasBadDate),
        ("SSL certificate problem: certificate is not yet valid", .serverCertificateNotYetValid),
    ])
    func `a rejected certificate has its own code and sentence`(text: String, code: URLError.Code) throws {
        let underlying = NSError(domain: NSURLErrorDomain, code: -1, userInfo: [NSLocalizedDescriptionKey: text])
        for userInfo in [
            [NSUnderlyingErrorKey: underlying, NSLocalizedDescriptionKey: text], [NSUnderlyingErrorKey: underlying],
        ] as [[String: Any]] {
            let error = URLError(.unknown, userInfo: userInfo)
            #expect(RequestFailure(error) == RequestFailure(.tlsFailure))
            let described = try #require(URLError.described(error) as? URLError)
            #expect(described.code == code && described.localizedDescription == code.sentence)
            let outcome = NetworkRequester.Outcome(RequestFailure(error), over: SimulatedPath.wifi.path)
            #expect(outcome == .tlsFailure && !outcome.advice.instruction.contains("later"))
        }
    }

    @Test func `an unknown error keeps the text of Foundation`() throws {
        let underlying = NSError(domain: NSURLErrorDomain, code: -1)
        let error = URLError(
            .unknown, userInfo: [NSUnderlyingErrorKey: underlying, NSLocalizedDescriptionKey: "Recv failure"])
        #expect(URLError.described(error).localizedDescription == "Recv failure")
    }
    #endif

    @Test func `the errors of other protocol classes keep their texts`() {
        let own = URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: "mine"])
        #expect(URLError.described(own).localizedDescription == "mine")
        #expect(URLError.described(CancellationError()) is CancellationError)
    }

    @Test func `an obstacle is the reason of an error that says that there is no connection`() {
        let error = URLError(WaitingPolicy.Obstacle.hostUnreachable(HostError(.routerSilent)))
        #expect(error.code == .notConnectedToInternet)
        #expect(error.localizedDescription == "The Internet connection appears to be offline.")
        #expect(error.userInfo[NSLocalizedFailureReasonErrorKey] as? String == "The router does not answer.")
    }

    #if !canImport(Darwin)
    @Test func `an error of a transfer claims no connection that may never have been`() {
        let underlying = NSError(domain: NSURLErrorDomain, code: -1)
        let failure = RequestFailure(URLError(.unknown, userInfo: [NSUnderlyingErrorKey: underlying]))
        #expect(failure.kind == .cannotConnect && failure.mayHaveReachedServer)
    }
    #endif
}
