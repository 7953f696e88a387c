//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialtoneServer
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The notifier, and a service manager's socket as the kernel makes it.
struct ServiceNotifierTests {
    /// A datagram socket, bound as a service manager binds its own.
    private final class Manager: Sendable {
        private let number: Int32

        /// The kernel's address: a path, or a name that begins with a zero byte.
        init(_ bytes: [UInt8]) throws {
            number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
            let length = socklen_t(2 + bytes.count)
            let result = withUnsafePointer(to: name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
            }
            guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(number) }

        /// The next message.
        func next() -> String {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(number, &bytes, bytes.count, 0)
            return count < 0 ? "nothing" : String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }

    @Test func `a manager with a path hears every message`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "n\(UInt32.random(in: 0...UInt32.max))").path
        defer { unlink(path) }
        let manager = try Manager(Array(path.utf8) + [0])
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": path])
        try notifier.send(.ready.and(.status("watching\nREADY=0")))
        try notifier.send(.alive)
        try notifier.send(.stopping)
        #expect(manager.next() == "READY=1\nSTATUS=watching READY=0")
        #expect(manager.next() == "WATCHDOG=1")
        #expect(manager.next() == "STOPPING=1")
    }

    @Test func `a manager with an abstract name hears it too`() throws {
        let name = "dialtone-test-\(UUID().uuidString)"
        let manager = try Manager([0] + Array(name.utf8))
        try ServiceNotifier(environment: ["NOTIFY_SOCKET": "@" + name]).send(.ready)
        #expect(manager.next() == "READY=1")
    }

    @Test func `without a manager nothing is done`() throws {
        for environment in [[:], ["NOTIFY_SOCKET": ""]] {
            let notifier = ServiceNotifier(environment: environment)
            #expect(notifier.address == nil)
            try notifier.send(.ready)
        }
    }

    @Test(arguments: ["relative", "@", "/" + String(repeating: "x", count: 108), "vsock:2:1"])
    func `an address that is none is an error, not a trap`(address: String) {
        #expect(throws: ServiceNotifier.Failure.badAddress(address)) {
            try ServiceNotifier(environment: ["NOTIFY_SOCKET": address]).send(.ready)
        }
    }

    @Test func `a manager that is gone is an error that says so`() {
        #expect {
            try ServiceNotifier(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]).send(.ready)
        } throws: { error in
            "\(error)".contains("No such file")
        }
    }

    @Test func `a manager that does not read is not waited for`() throws {
        let name = "dialtone-test-\(UUID().uuidString)"
        let manager = try Manager([0] + Array(name.utf8))
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": "@" + name])
        #expect(throws: ServiceNotifier.Failure.self) {
            for _ in 0..<100_000 { try notifier.send(.alive) }
        }
        #expect(manager.next() == "WATCHDOG=1")
    }

    @Test(
        arguments: [
            ([:], nil), (["WATCHDOG_USEC": "60000000"], 60),
            (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "42"], 60),
            (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "43"], nil),
            (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "soon"], nil),
            (["WATCHDOG_USEC": "99999999999999999999"], nil),
        ] as [([String: String], Int?)])
    func `the watchdog is what the manager asks of this process`(environment: [String: String], seconds: Int?) {
        let notifier = ServiceNotifier(environment: environment, process: 42)
        #expect(notifier.watchdog == seconds.map { .seconds($0) })
        #expect(notifier.beat == seconds.map { .seconds($0) / 2 })
    }
}
