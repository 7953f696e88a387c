// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DialtoneServer

struct ConnectionMachineTests {
    private static let limits = ServerLimits()

    /// A connection whose first request is being answered.
    private static func answering(isLast: Bool = false) -> ConnectionMachine {
        var machine = ConnectionMachine(limits)
        machine.opened(isAdmitted: true, at: .zero)
        let isRead = machine.received(at: .zero)
        #expect(isRead)
        machine.requestBegan(isLast: isLast)
        machine.decoded(endsInEmptyLine: true)
        machine.requestEnded(at: .zero)
        return machine
    }

    @Test func `a client has 10 s for a request, from its first byte, and more bytes do not extend it`() {
        var machine = ConnectionMachine(Self.limits)
        machine.opened(isAdmitted: true, at: .zero)
        #expect(machine.deadline == .seconds(10) && machine.isWaiting)
        for second in 1...9 {
            let isRead = machine.received(at: .seconds(second))
            #expect(isRead)
            // Nor do empty lines, which come before a request.
            machine.decoded(endsInEmptyLine: second > 5)
            #expect(machine.deadline == .seconds(11))
        }
        machine.requestBegan(isLast: false)
        #expect(machine.isWaiting)
        // The handler of requests limits its own time.
        machine.requestEnded(at: .seconds(9))
        #expect(machine.deadline == nil && !machine.isWaiting)
    }

    @Test func `a connection is idle for 60 s at most, and then the next request has its own time`() {
        var machine = Self.answering()
        let continues = machine.responseBegan(isStream: false, isLast: false, at: .seconds(1))
        #expect(continues)
        #expect(machine.deadline == .seconds(21))
        // The time limit covers the whole response.
        machine.partBegan(at: .seconds(5))
        machine.partSent(at: .seconds(6))
        #expect(machine.deadline == .seconds(21))
        let ends = machine.responseSent(at: .seconds(7))
        #expect(!ends)
        #expect(machine.deadline == .seconds(67) && machine.isWaiting)
        let isRead = machine.received(at: .seconds(30))
        #expect(isRead && machine.deadline == .seconds(40))
    }

    @Test func `a stream lasts as long as its client accepts each part within 20 s`() {
        var machine = Self.answering()
        let continues = machine.responseBegan(isStream: true, isLast: false, at: .seconds(1))
        #expect(!continues)
        #expect(machine.deadline == .seconds(21))
        // The client owes nothing while the server has nothing to send, and before the first part.
        machine.partSent(at: .seconds(2))
        #expect(machine.deadline == nil)
        machine.partBegan(at: .seconds(100))
        #expect(machine.deadline == .seconds(120))
        // Another part does not extend the time of the first one.
        machine.partBegan(at: .seconds(110))
        #expect(machine.deadline == .seconds(120))
        machine.partSent(at: .seconds(115))
        #expect(machine.deadline == .seconds(135))
        machine.partSent(at: .seconds(116))
        #expect(machine.deadline == nil && machine.endsWithInput)
        let ends = machine.responseSent(at: .seconds(200))
        #expect(ends)
        machine.ended(at: .seconds(200))
        #expect(machine.deadline == .seconds(202))
        machine.closed()
        #expect(machine.deadline == nil)
    }

    @Test func `a connection ends after its last response, and its client has 2 s to end its side`() {
        var machine = Self.answering(isLast: true)
        #expect(!machine.isReading && machine.endsWithInput)
        let continues = machine.responseBegan(isStream: false, isLast: false, at: .zero)
        #expect(!continues)
        let ends = machine.responseSent(at: .zero)
        #expect(ends)
        machine.ended(at: .zero)
        #expect(machine.deadline == .seconds(2))
        // Later bytes of the client give it no more time, and are dropped.
        let isRead = machine.received(at: .seconds(1))
        #expect(!isRead && machine.deadline == .seconds(2))
    }

    @Test func `a request may follow before the response to the one before it`() {
        var machine = Self.answering()
        machine.requestBegan(isLast: false)
        machine.requestEnded(at: .seconds(1))
        #expect(!machine.isWaiting)
        var continues = machine.responseBegan(isStream: false, isLast: false, at: .seconds(2))
        #expect(continues)
        var ends = machine.responseSent(at: .seconds(3))
        #expect(!ends)
        #expect(!machine.isWaiting && machine.deadline == nil)
        // The response to the first one is not interrupted by a malformed one.
        let responds = machine.requestFailed()
        #expect(!responds)
        continues = machine.responseBegan(isStream: false, isLast: false, at: .seconds(4))
        #expect(!continues)
        ends = machine.responseSent(at: .seconds(5))
        #expect(ends)
    }

    @Test func `a malformed request is answered once, and a connection without room is not`() {
        var machine = ConnectionMachine(Self.limits)
        machine.opened(isAdmitted: true, at: .zero)
        #expect(machine.isReading && machine.endsWithInput)
        let responses = [machine.requestFailed(), machine.requestFailed()]
        #expect(responses == [true, false] && !machine.isReading)
        var refused = ConnectionMachine(Self.limits)
        refused.opened(isAdmitted: false, at: .zero)
        #expect(!refused.isReading && refused.deadline == nil)
    }
}
