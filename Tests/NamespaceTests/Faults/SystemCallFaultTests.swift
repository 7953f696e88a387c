//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import Netlink
@testable import NetworkState
import Synchronization
import TestSupport
import Testing

/// A kernel in trouble: each in a process of its own, which must say the right thing right afterwards and keep nothing.
@Suite(
    .requires(.networkNamespaces), .requires(.linkKind("veth")), .requires(.callSupervision), .timeLimit(.minutes(5)))
struct SystemCallFaultTests {
    @Test func `EINTR: signals interrupt every other wait, request and receive`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            let turns = Turns()
            place.supervision.change { call in
                call != .socket && turns.next(call).isMultiple(of: 2) ? .fail(EINTR) : .proceed
            }
            try place.expectToFollow()
            for call in [Supervision.Call.event, .answer, .send, .wait] { #expect(turns.count(call) > 2, "\(call)") }
            try place.expectNothingLeft()
        }
    }

    @Test func `ENOMEM: there is no memory for every other announcement`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            let turns = Turns()
            place.supervision.change { call in
                call == .event && turns.next(call).isMultiple(of: 2) ? .fail(ENOMEM) : .proceed
            }
            try place.expectToFollow()
            #expect(turns.count(.event) > 2)
            try place.expectNothingLeft()
        }
    }

    @Test func `ENOMEM: there is no memory for anything, and then there is`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            place.supervision.change { call in call == .event || call == .answer ? .fail(ENOMEM) : .proceed }
            try place.setUp(false)
            try place.expect("unavailable for want of memory") { snapshot in
                guard case .unavailable(let error) = snapshot.visibility else { return false }
                return error.errno == .noMemory
            }
            place.supervision.change { _ in .proceed }
            try place.expect("unsatisfied") {
                $0.visibility == .live && PathEvaluator($0).evaluate().status == .unsatisfied
            }
            try place.expectToFollow()
            try place.expectNothingLeft()
        }
    }

    @Test func `ENOMEM: there is never memory for an announcement, which is said and does not spin`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            let turns = Turns()
            place.supervision.change { call in
                guard call == .event else { return .proceed }
                _ = turns.next(call)
                return .fail(ENOMEM)
            }
            try place.setUp(false)
            try place.expect("unavailable for want of memory") { snapshot in
                guard case .unavailable(let error) = snapshot.visibility else { return false }
                return error.errno == .noMemory
            }
            // Three lives of the sockets, each with a few receives.
            #expect(turns.count(.event) < 100)
            place.supervision.change { _ in .proceed }
            try place.expect("unsatisfied") {
                $0.visibility == .live && PathEvaluator($0).evaluate().status == .unsatisfied
            }
            try place.expectToFollow()
            try place.expectNothingLeft()
        }
    }

    @Test func `ENOBUFS: every third receive says that something was lost`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            let turns = Turns()
            place.supervision.change { call in
                call == .event && turns.next(call).isMultiple(of: 3) ? .fail(ENOBUFS) : .proceed
            }
            try place.expectToFollow()
            #expect(turns.count(.event) > 3)
            try place.expectNothingLeft()
        }
    }

    @Test func `EMFILE at resync: the sockets break while no descriptor can be had`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            place.supervision.change { call in
                switch call {
                case .event, .answer: .fail(EIO)
                case .socket: .fail(EMFILE)
                default: .proceed
                }
            }
            try place.setUp(false)
            try place.expect("unavailable for want of descriptors") { snapshot in
                guard case .unavailable(let error) = snapshot.visibility else { return false }
                return error.errno == .tooManyOpenFiles
            }
            place.supervision.change { _ in .proceed }
            try place.expect("unsatisfied") {
                $0.visibility == .live && PathEvaluator($0).evaluate().status == .unsatisfied
            }
            try place.expectToFollow()
            try place.expectNothingLeft()
        }
    }

    @Test func `every dump is interrupted for ever, which is said, until it is not`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            let turns = Turns()
            place.supervision.change { call in
                switch call {
                // Something was lost: everything must be read again.
                case .event: turns.next(call) == 1 ? .fail(ENOBUFS) : .proceed
                case .answer: .interruptDump
                default: .proceed
                }
            }
            try place.setUp(false)
            try place.expect("unavailable, interrupted") { snapshot in
                guard case .unavailable(let error) = snapshot.visibility else { return false }
                return error.code == .interrupted
            }
            place.supervision.change { _ in .proceed }
            try place.expect("unsatisfied") {
                $0.visibility == .live && PathEvaluator($0).evaluate().status == .unsatisfied
            }
            try place.expectToFollow()
            try place.expectNothingLeft()
        }
    }
}

/// Counts calls.
private final class Turns: Sendable {
    private let counts = Mutex<[Supervision.Call: Int]>([:])

    func next(_ call: Supervision.Call) -> Int {
        counts.withLock { counts in
            counts[call, default: 0] += 1
            return counts[call, default: 0]
        }
    }

    func count(_ call: Supervision.Call) -> Int { counts.withLock { $0[call, default: 0] } }
}
#endif
