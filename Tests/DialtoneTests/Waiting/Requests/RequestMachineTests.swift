// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Dialtone

/// The status that results from requests that begin and end in every order.
struct RequestMachineTests {
    private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    @Test(
        arguments: [
            (.delivered, .online), (.clientError(status: 404), .online), (.serverError(status: 503), .serverTrouble),
            (.offline, .offline), (.captivePortal, .offline), (.timedOut, .failed), (.nameNotFound, .failed),
            (.cannotConnect, .failed), (.connectionLost, .failed), (.tlsFailure, .failed), (.unexpectedBody, .failed),
            (.failed, .failed),
        ] as [(NetworkRequester.Outcome, NetworkRequester.Status.State)])
    func `sequential requests`(outcome: NetworkRequester.Outcome, state: NetworkRequester.Status.State) {
        let isResponse = state == .online || state == .serverTrouble
        #expect(NetworkRequester.Status(state, outcome: outcome).isOnline == isResponse)
        var machine = RequestMachine()
        #expect(machine.status == NetworkRequester.Status(.unknown))
        let number = machine.begin()
        #expect(machine.status == NetworkRequester.Status(.checking))
        machine.end(number, outcome, at: date(1))
        #expect(machine.status == NetworkRequester.Status(state, outcome: outcome, updatedAt: date(1)))
        // The last outcome is kept while the next request is under way.
        _ = machine.begin()
        #expect(machine.status == NetworkRequester.Status(.checking, outcome: outcome, updatedAt: date(1)))
    }

    @Test func `a cancelled request leaves the status as if it had not been made`() {
        var machine = RequestMachine()
        machine.end(machine.begin(), .cancelled, at: date(1))
        #expect(machine.status == NetworkRequester.Status())
        machine.end(machine.begin(), .offline, at: date(2))
        machine.end(machine.begin(), .cancelled, at: date(3))
        #expect(machine.status == NetworkRequester.Status(.offline, outcome: .offline, updatedAt: date(2)))
    }

    @Test func `the request that began last decides, whichever ends last`() {
        var machine = RequestMachine()
        let (first, second) = (machine.begin(), machine.begin())
        machine.end(second, .delivered, at: date(1))
        #expect(machine.status == NetworkRequester.Status(.online, outcome: .delivered, updatedAt: date(1)))
        machine.end(first, .timedOut, at: date(30))
        #expect(machine.status == NetworkRequester.Status(.online, outcome: .delivered, updatedAt: date(1)))
    }

    @Test func `an earlier request decides until a later one has ended`() {
        var machine = RequestMachine()
        let (first, second) = (machine.begin(), machine.begin())
        machine.end(first, .offline, at: date(1))
        #expect(machine.status == NetworkRequester.Status(.checking, outcome: .offline, updatedAt: date(1)))
        machine.end(second, .delivered, at: date(2))
        #expect(machine.status == NetworkRequester.Status(.online, outcome: .delivered, updatedAt: date(2)))
    }

    @Test func `a repeated end, or the end of an unknown request, is ignored`() {
        var machine = RequestMachine()
        let number = machine.begin()
        machine.end(number, .delivered, at: date(1))
        machine.end(number, .offline, at: date(2))
        machine.end(99, .offline, at: date(3))
        #expect(machine.status == NetworkRequester.Status(.online, outcome: .delivered, updatedAt: date(1)))
    }

    @Test func `every state has a text`() {
        let status = { NetworkRequester.Status($0, outcome: $1) }
        #expect(status(.unknown, nil).advice.instruction == "Request data to find out.")
        #expect(status(.unknown, nil).advice.title == "Not known yet")
        #expect(status(.checking, .offline).advice.title == "Checking")
        #expect(status(.online, .delivered).advice.instruction.hasPrefix("Based upon your last request"))
        #expect(status(.offline, .offline).advice.instruction == "Check your connection and try again.")
        #expect(status(.serverTrouble, .serverError(status: 503)).advice.title == "The server has a problem")
    }
}
