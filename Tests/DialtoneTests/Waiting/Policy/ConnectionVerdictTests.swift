// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Dialtone

/// Why a connection could not be established, and what follows from that, as a table.
struct ConnectionVerdictTests {
    private static let failures = [
        RequestFailure(.timedOut, mayHaveReachedServer: false), RequestFailure(.nameNotFound),
        RequestFailure(.cannotConnect),
    ]

    @Test(arguments: [
        HostError.Code.noRoute, .routerSilent, .resolverSilent, .resolverFailed, .resolverRefused, .resolverUnreachable,
    ])
    func `a network that cannot carry the connection is waited for`(code: HostError.Code) {
        let cause = HostError(code)
        for failure in Self.failures {
            #expect(ConnectionVerdict(cause, after: failure) == .wait(.hostUnreachable(cause)))
        }
    }

    @Test(arguments: [
        HostError.Code.resolverSilent, .resolverFailed, .resolverRefused, .resolverUnreachable, .routerSilent,
    ])
    func `name servers are not blamed where a check has found the cause`(code: HostError.Code) {
        let (cause, internet) = (
            HostError(code), WaitingPolicy.Obstacle.noInternet("Nothing beyond the router answers.")
        )
        let verdict = ConnectionVerdict(cause, after: RequestFailure(.nameNotFound), internet: internet)
        #expect(verdict == .wait(code == .routerSilent ? .hostUnreachable(cause) : internet))
    }

    @Test(arguments: [
        (HostError.Code.nameNotFound, RequestFailure.Kind.nameNotFound), (.noAddress, .nameNotFound),
        (.unreachable, .cannotConnect),
    ])
    func `a fault of the host is a failure at once`(code: HostError.Code, kind: RequestFailure.Kind) {
        for failure in Self.failures {
            #expect(ConnectionVerdict(HostError(code), after: failure) == .fail(RequestFailure(kind)))
        }
    }

    @Test func `without a cause, a connection is waited for while the Internet cannot be reached`() {
        let internet = WaitingPolicy.Obstacle.noInternet("Nothing answers.")
        for failure in Self.failures {
            let verdict = ConnectionVerdict(nil, after: failure, internet: internet)
            // The name server was reached when the cause was determined.
            #expect(verdict == (failure.kind == .nameNotFound ? .fail(failure) : .wait(internet)))
        }
        #expect(
            ConnectionVerdict(HostError(.unreachable), after: RequestFailure(.timedOut), internet: internet)
                == .fail(RequestFailure(.cannotConnect)))
    }

    @Test(arguments: [nil, HostError(.unknown), HostError(.system), HostError(.timedOut)])
    func `without a cause, the client's failure stays`(cause: HostError?) {
        for failure in Self.failures {
            #expect(ConnectionVerdict(cause, after: failure) == .fail(failure))
        }
    }
}
