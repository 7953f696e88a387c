// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import Netlink
@testable import NetworkState
import Synchronization
import TestSupport
import Testing

/// A failing kernel, each fault in a separate process, which must report the right state afterwards and leak nothing.
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

    @Test func `ENOMEM: every other announcement fails for lack of memory`() async {
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

    @Test func `ENOMEM: everything fails for lack of memory, and then recovers`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            place.supervision.change { call in call == .event || call == .answer ? .fail(ENOMEM) : .proceed }
            try place.setUp(false)
            try place.expect("unavailable for lack of memory") { snapshot in
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

    @Test func `ENOMEM: permanent failure is reported, without a busy loop`() async {
        await #expect(processExitsWith: .success) {
            // The pauses double up to 10 s, so that few receives happen until the test has counted.
            let place = try FaultyPlace(pace: KernelPace(firstRetry: 0.01, longestRetry: 10))
            let turns = Turns()
            place.supervision.change { call in
                guard call == .event else { return .proceed }
                _ = turns.next(call)
                return .fail(ENOMEM)
            }
            try place.setUp(false)
            try place.expect("unavailable for lack of memory") { snapshot in
                guard case .unavailable(let error) = snapshot.visibility else { return false }
                return error.errno == .noMemory
            }
            // Three sets of sockets, each with a few receives.
            #expect(turns.count(.event) < 100)
            place.supervision.change { _ in .proceed }
            try place.expect("unsatisfied") {
                $0.visibility == .live && PathEvaluator($0).evaluate().status == .unsatisfied
            }
            try place.expectToFollow()
            try place.expectNothingLeft()
        }
    }

    @Test func `ENOSYS: several answers cannot be received at once`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            place.supervision.refusesSeveralAtOnce.store(true, ordering: .relaxed)
            try place.expectToFollow()
            try place.expectNothingLeft()
        }
    }

    @Test func `ENOBUFS: every third receive reports lost messages`() async {
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

    @Test func `EMFILE at resync: the sockets fail while no descriptor is available`() async {
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
            try place.expect("unavailable for lack of descriptors") { snapshot in
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

    @Test func `every dump is interrupted, which is reported until it ends`() async {
        await #expect(processExitsWith: .success) {
            let place = try FaultyPlace()
            let turns = Turns()
            place.supervision.change { call in
                switch call {
                // A message was lost: everything must be read again.
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
