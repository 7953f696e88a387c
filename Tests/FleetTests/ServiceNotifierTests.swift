// SPDX-License-Identifier: Apache-2.0

import DialtoneHistory
import Foundation
import Logging
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneAgent
@testable import DialtoneServer

#if canImport(Glibc)
import Glibc
#endif

/// The notifier, with a real kernel socket in place of a service manager.
@Suite(.real, .timeLimit(.minutes(5)))
struct ServiceNotifierTests {
    /// A datagram socket, bound as a service manager binds its socket.
    private final class Manager: Sendable {
        private let number: Int32

        /// The kernel's form of the address: a path, or a name that begins with a zero byte.
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
        }

        deinit { close(number) }

        /// The next message, read on a separate thread: the sender may need those of the runtime.
        func next() async throws -> String {
            try await ThreadStarter.system.run("test.manager") { self.receive() ?? "nothing" }
        }

        /// The messages that have arrived.
        func arrived() -> [String] {
            var messages: [String] = []
            while let message = receive(Int32(MSG_DONTWAIT)) { messages.append(message) }
            return messages
        }

        private func receive(_ flags: Int32 = 0) -> String? {
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(number, &bytes, bytes.count, flags)
            return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }

    @Test func `a manager with a path receives every message`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "n\(UInt32.random(in: 0...UInt32.max))").path
        defer { unlink(path) }
        let manager = try Manager(Array(path.utf8) + [0])
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": path])
        try notifier.send(.ready.and(.status("watching\nREADY=0")))
        try notifier.send(.alive)
        try notifier.send(.stopping)
        #expect(try await manager.next() == "READY=1\nSTATUS=watching READY=0")
        #expect(try await manager.next() == "WATCHDOG=1")
        #expect(try await manager.next() == "STOPPING=1")
    }

    @Test func `a manager with an abstract name receives it too`() async throws {
        let name = "dialtone-test-\(UUID().uuidString)"
        let manager = try Manager([0] + Array(name.utf8))
        try ServiceNotifier(environment: ["NOTIFY_SOCKET": "@" + name]).send(.ready)
        #expect(try await manager.next() == "READY=1")
    }

    @Test func `without a manager nothing is sent`() throws {
        for environment in [[:], ["NOTIFY_SOCKET": ""]] {
            let notifier = ServiceNotifier(environment: environment)
            #expect(notifier.address == nil)
            try notifier.send(.ready)
        }
    }

    @Test(arguments: ["relative", "@", "/" + String(repeating: "x", count: 108), "vsock:2:1"])
    func `an invalid address is an error, not a trap`(address: String) {
        let error = #expect(throws: SystemError.self) {
            try ServiceNotifier(environment: ["NOTIFY_SOCKET": address]).send(.ready)
        }
        #expect(error?.number == (address.hasPrefix("/") ? ENAMETOOLONG : EINVAL))
    }

    @Test func `a missing manager is an error with a description`() {
        #expect {
            try ServiceNotifier(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]).send(.ready)
        } throws: { error in
            "\(error)".contains("No such file")
        }
    }

    @Test func `sending does not wait for a manager that does not read`() async throws {
        let name = "dialtone-test-\(UUID().uuidString)"
        let manager = try Manager([0] + Array(name.utf8))
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": "@" + name])
        #expect(throws: SystemError.self) {
            for _ in 0..<100_000 { try notifier.send(.alive) }
        }
        #expect(try await manager.next() == "WATCHDOG=1")
    }

    @Test func `READY is delivered after a full queue, and heartbeats stop when the server hangs`()
        async throws
    {
        let name = "dialtone-test-\(UUID().uuidString)"
        let manager = try Manager([0] + Array(name.utf8))
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": "@" + name, "WATCHDOG_USEC": "20000"])
        while (try? notifier.send(.status("noise"))) != nil {}
        let folder = FileManager.default.temporaryDirectory.appending(path: name)
        defer { try? FileManager.default.removeItem(at: folder) }
        let history = await HistoryStore.open(at: folder)
        let hangs = Mutex(false)
        let calls = Recorder<Bool>()
        let reporter = ServiceReporter(
            notifier: notifier, history: history, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task {
            await reporter.run(status: "serving") {
                let hangs = hangs.withLock { $0 }
                calls.record(hangs)
                return !hangs
            }
        }
        func next(_ text: String) async throws { while try await manager.next() != text {} }
        try await next("READY=1\nSTATUS=serving")
        try await next("WATCHDOG=1")
        hangs.withLock { $0 = true }
        // What the answers before it caused has been sent when it is asked again.
        _ = try await calls.next { $0 }
        _ = manager.arrived()
        for _ in 0..<2 { _ = try await calls.next() }
        #expect(manager.arrived() == [])
        hangs.withLock { $0 = false }
        try await next("WATCHDOG=1")
        running.cancel()
        // The queue may be full of heartbeats.
        async let end: Void = reporter.end()
        try await next("STOPPING=1")
        await end
        await history.close()
    }

    @Test func `a reload is reported from its beginning to its end, with its failure`() async throws {
        let name = "dialtone-test-\(UUID().uuidString)"
        let manager = try Manager([0] + Array(name.utf8))
        let folder = FileManager.default.temporaryDirectory.appending(path: name)
        defer { try? FileManager.default.removeItem(at: folder) }
        let history = await HistoryStore.open(at: folder)
        let reporter = ServiceReporter(
            notifier: ServiceNotifier(environment: ["NOTIFY_SOCKET": "@" + name]), history: history,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await reporter.beginReload()
        await reporter.endReload(status: "serving; the last reload was refused: line 1\nREADY=0")
        // sd_notify(3): the time since boot, in microseconds.
        // clock: the message has the kernel's time.
        let (first, uptime) = (try await manager.next(), ProcessInfo.processInfo.systemUptime)
        let time = try #require(Double(first.dropFirst("RELOADING=1\nMONOTONIC_USEC=".count)))
        #expect(first.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") && abs(time / 1e6 - uptime) < 60, "\(first) \(uptime)")
        #expect(try await manager.next() == "READY=1\nSTATUS=serving; the last reload was refused: line 1 READY=0")
        await history.close()
    }

    @Test(
        arguments: [
            ([:], nil), (["WATCHDOG_USEC": "60000000"], 60),
            (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "42"], 60),
            (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "43"], nil),
            (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "soon"], nil),
            (["WATCHDOG_USEC": "99999999999999999999"], nil),
        ] as [([String: String], Int?)])
    func `the watchdog interval is the one set for this process`(environment: [String: String], seconds: Int?) {
        let notifier = ServiceNotifier(environment: environment, process: 42)
        #expect(notifier.watchdog == seconds.map { .seconds($0) })
        #expect(notifier.interval == seconds.map { .seconds($0) / 2 })
    }
}
