// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CLinux
import Glibc
import Netlink
import NetlinkTesting

/// A sandbox for the calling thread and those that it starts: system calls that fail as if forbidden (seccomp(2)).
package enum Sandbox {
    /// The refused system calls.
    package enum Refusal: Sendable {
        /// Joining a netlink group, as gVisor does.
        case multicast
        /// All netlink sockets.
        case sockets
        /// All sockets except local ones.
        case allSockets
        /// Watching files, as when the user's inotify instances are exhausted.
        case fileWatches
    }

    package struct Failure: Error {
        /// The error number.
        package let number: Int32

        package init(number: Int32) { self.number = number }
    }

    /// Makes the kernel refuse this with `EPERM`, to this thread and the threads that it starts from now on.
    package static func refuse(_ refusal: Refusal) throws {
        switch refusal {
        case .multicast: try install(only(setsockopt, [(1, 270), (2, 1)]))
        case .sockets: try install(only(socket, [(0, UInt32(AF_NETLINK))]))
        case .allSockets:
            for family in [AF_NETLINK, AF_INET, AF_INET6] { try install(only(socket, [(0, UInt32(family))])) }
        case .fileWatches: try install(only(inotify, []))
        }
    }

    private static func install(_ instructions: [CLinux_FilterInstruction]) throws {
        var program = instructions
        guard let symbol = dlsym(nil, "prctl") else { throw Failure(number: ENOSYS) }
        // prctl(2) is variadic, so it cannot be called by name.
        typealias Prctl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        let prctl = unsafeBitCast(symbol, to: Prctl.self)
        // PR_SET_NO_NEW_PRIVS, then PR_SET_SECCOMP with SECCOMP_MODE_FILTER (linux/prctl.h, linux/seccomp.h).
        guard prctl(38, 1, 0, 0, 0) == 0 else { throw Failure(number: errno) }
        let result = program.withUnsafeMutableBufferPointer { instructions in
            withUnsafePointer(to: Program(instructions)) { prctl(22, 2, UInt(bitPattern: $0), 0, 0) }
        }
        guard result == 0 else { throw Failure(number: errno) }
    }

    /// `struct sock_fprog`.
    private struct Program {
        let count: UInt16
        let instructions: UnsafeMutablePointer<CLinux_FilterInstruction>?

        init(_ buffer: UnsafeMutableBufferPointer<CLinux_FilterInstruction>) {
            (count, instructions) = (UInt16(buffer.count), buffer.baseAddress)
        }
    }

    #if arch(x86_64)
    private static let (socket, setsockopt, inotify): (UInt32, UInt32, UInt32) = (41, 54, 294)
    #else
    private static let (socket, setsockopt, inotify): (UInt32, UInt32, UInt32) = (198, 208, 26)
    #endif

    /// Refuses one system call when some of its arguments have these values; allows everything else.
    private static func only(_ call: UInt32, _ arguments: [(place: UInt32, value: UInt32)])
        -> [CLinux_FilterInstruction]
    {
        // struct seccomp_data: the call's number at 0, its arguments of 8 bytes from 16.
        let checks = [(UInt32(0), call)] + arguments.map { (16 + 8 * $0.place, $0.value) }
        var program: [CLinux_FilterInstruction] = []
        for (index, check) in checks.enumerated() {
            // Skips the remaining checks, of two instructions each, and the refusal.
            let toEnd = UInt8(2 * (checks.count - index - 1) + 1)
            program += [
                CLinux_FilterInstruction(code: 0x20, jumpTrue: 0, jumpFalse: 0, operand: check.0),
                CLinux_FilterInstruction(code: 0x15, jumpTrue: 0, jumpFalse: toEnd, operand: check.1),
            ]
        }
        return program + [
            CLinux_FilterInstruction(code: 0x06, jumpTrue: 0, jumpFalse: 0, operand: 0x0005_0000 | UInt32(EPERM)),
            CLinux_FilterInstruction(code: 0x06, jumpTrue: 0, jumpFalse: 0, operand: 0x7FFF_0000),
        ]
    }
}

extension Capability {
    /// Sandboxes made with seccomp(2).
    package static let sandbox = Capability("seccomp sandboxes") {
        try NetworkNamespace().run { try Sandbox.refuse(.sockets) }
    }
}
#endif
