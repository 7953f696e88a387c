// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CTestSupport
import Dispatch
import Glibc
import Netlink
import NetlinkTesting
package import Synchronization
import SystemSupport

/// Decides the results of system calls of a thread and of those that it starts, to simulate a failing kernel.
package final class Supervision: Sendable {
    /// The supervised calls.
    package enum Call: CaseIterable {
        /// Receiving the kernel's announcements, without blocking.
        case event
        /// Receiving the kernel's answers.
        case answer
        case send, wait, socket
        /// Limiting the announcements that a socket receives.
        case filter
    }

    package enum Decision {
        case proceed
        case fail(Int32)
        /// The call is made, and every received message has the flag of an interrupted dump (`NLM_F_DUMP_INTR`).
        case interruptDump
    }

    /// Each access to a mutex of a closure would wrap it again.
    private struct Rule {
        var decide: @Sendable (Call) -> Decision
    }

    private let rule: Mutex<Rule>
    private let counts = Mutex<[Call: Int]>([:])
    private let linkDumps = Mutex(0)
    /// Whether receiving several answers at once fails, as in gVisor.
    package let refusesSeveralAtOnce = Atomic(false)

    package init(_ decide: @escaping @Sendable (Call) -> Decision = { _ in .proceed }) {
        rule = Mutex(Rule(decide: decide))
    }

    /// The number of requests for all links; every reading of the kernel's whole state begins with one.
    package var kernelReads: Int { linkDumps.withLock { $0 } }

    /// Sets how calls are decided from now on.
    package func change(_ decide: @escaping @Sendable (Call) -> Decision) { rule.withLock { $0.decide = decide } }

    /// The number of calls of one kind; if it is zero, a test that injects faults proves nothing.
    package func count(_ call: Call) -> Int { counts.withLock { $0[call, default: 0] } }

    /// Supervises the calling thread.
    ///
    /// The decisions are made on a thread that the caller has created before, because later ones are supervised too.
    package func begin(_ supervisor: Supervisor) throws {
        let numbers = [
            CTest_SYS_recvfrom, CTest_SYS_recvmmsg, CTest_SYS_sendto, CTest_SYS_poll, CTest_SYS_socket,
            CTest_SYS_setsockopt,
        ]
        let listener = CTest_superviseCalls(numbers, Int32(numbers.count))
        guard listener >= 0 else { throw Sandbox.Failure(number: -listener) }
        supervisor.serve { self.serve(listener) }
    }

    private func serve(_ listener: Int32) {
        defer { close(listener) }
        var call = CTest_Call()
        while CTest_nextCall(listener, &call) == 0 {
            guard let kind = Self.kind(call) else {
                CTest_answerCall(listener, call.identifier, 0, 0, true)
                continue
            }
            if kind == .send, Self.isLinkDump(call) { linkDumps.withLock { $0 += 1 } }
            if call.number == CTest_SYS_recvmmsg, refusesSeveralAtOnce.load(ordering: .relaxed) {
                CTest_answerCall(listener, call.identifier, ENOSYS, 0, false)
                continue
            }
            counts.withLock { $0[kind, default: 0] += 1 }
            switch rule.withLock({ $0.decide })(kind) {
            // Only the answers to lookups are received several at once, and never those of a dump.
            case .interruptDump where call.number == CTest_SYS_recvmmsg, .proceed:
                CTest_answerCall(listener, call.identifier, 0, 0, true)
            case .fail(let number): CTest_answerCall(listener, call.identifier, number, 0, false)
            case .interruptDump:
                let (count, number) = Self.receiveInterrupted(call)
                CTest_answerCall(listener, call.identifier, number, Int64(count), false)
            }
        }
    }

    private static func kind(_ call: CTest_Call) -> Call? {
        switch call.number {
        case CTest_SYS_sendto: .send
        case CTest_SYS_poll: .wait
        case CTest_SYS_socket: .socket
        case CTest_SYS_recvmmsg: .answer
        case CTest_SYS_setsockopt: call.arguments.2 == UInt64(SO_ATTACH_FILTER) ? .filter : nil
        default: call.arguments.3 & UInt64(MSG_DONTWAIT) != 0 ? .event : .answer
        }
    }

    /// Whether it sends `RTM_GETLINK` with the flags of a dump (`linux/netlink.h`).
    private static func isLinkDump(_ call: CTest_Call) -> Bool {
        // The length of 4 bytes, the type of 2, and the flags of 2.
        var header: [UInt16] = [0, 0, 0, 0]
        guard call.arguments.2 >= 16,
            withUnsafePointer(to: call, { CTest_copyMemory($0, $0.pointee.arguments.1, &header, 8) })
        else { return false }
        return header[2] == 18 && header[3] & 0x300 == 0x300 && UInt64(header[0]) == call.arguments.2
    }

    /// Makes the call on behalf of the other thread, which shares this one's memory.
    private static func receiveInterrupted(_ call: CTest_Call) -> (count: Int, error: Int32) {
        let (number, size) = (Int32(truncatingIfNeeded: call.arguments.0), Int(call.arguments.2))
        let buffer = UnsafeMutableRawPointer(bitPattern: UInt(call.arguments.1))
        let count = recvfrom(
            number, buffer, size, Int32(truncatingIfNeeded: call.arguments.3),
            UnsafeMutablePointer(bitPattern: UInt(call.arguments.4)),
            UnsafeMutablePointer(bitPattern: UInt(call.arguments.5)))
        guard count >= 0 else { return (0, errno) }
        // Each header has a length of 4 bytes, a type of 2, and the flags.
        var offset = 0
        while let buffer, offset + 16 <= min(count, size) {
            let length = Int(buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let flags = buffer.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self)
            buffer.storeBytes(of: flags | 0x10, toByteOffset: offset + 6, as: UInt16.self)
            guard length >= 16 else { break }
            offset += (length + 3) & ~3
        }
        return (count, 0)
    }

    /// A thread that waits for its work.
    package final class Supervisor: Sendable {
        private let work = Mutex<(@Sendable () -> Void)?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        package init() throws {
            try DedicatedThread.start(name: "supervisor") { [self] in
                isThere.wait()
                work.withLock { $0 }?()
            }
        }

        fileprivate func serve(_ work: @escaping @Sendable () -> Void) {
            self.work.withLock { $0 = work }
            isThere.signal()
        }

        /// Ends a thread that has not been given any work.
        package func dismiss() { isThere.signal() }
    }
}

extension Capability {
    /// Threads that decide each other's system calls, seccomp_unotify(2): Linux 5.5, and no sandbox that forbids it.
    package static let callSupervision = Capability("supervised system calls") {
        let supervisor = try Supervision.Supervisor()
        try NetworkNamespace().run {
            do {
                try Supervision().begin(supervisor)
            } catch {
                supervisor.dismiss()
                throw error
            }
            // A call that proceeds, which the first kernels with this feature did not support.
            _ = try RouteNetlink()
        }
    }
}
#endif
