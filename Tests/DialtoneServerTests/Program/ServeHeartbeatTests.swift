// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import Synchronization
import TestSupport
import Testing

/// When `dialtone serve` and `dialtone watch` send a heartbeat.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .timeLimit(.minutes(5)))
struct ServeHeartbeatTests {
    /// A command, in a network whose packets beyond the router are counted.
    private final class Lab: Sendable {
        let network: RoutedLab
        let internet: ScriptedInternet
        let names: ScriptedNameServer
        private let beatCount = Mutex(0)
        private let directory: URL

        init() async throws {
            let network = try RoutedLab(wired: true)
            self.network = network
            (internet, names) = try await network.internet.run {
                (
                    try ScriptedInternet(.online, address: "203.0.113.1", httpPort: 80),
                    try ScriptedNameServer(playing: ScriptedResolver(), address: "203.0.113.53")
                )
            }
            directory = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
            pass(true)
            try await network.join()
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        /// The number of beats: nothing else sends queries beyond the router, because the endpoint is an address.
        var beats: Int { beatCount.withLock { $0 } }

        /// Lets packets pass beyond the router, or drops them.
        func pass(_ isPassed: Bool) {
            network.wires?.wan.play { [weak self] packet in
                if packet.hasPort(53), packet.isOutward { self?.beatCount.withLock { $0 += 1 } }
                return isPassed ? .pass : .drop
            }
        }

        func start(_ command: String, checkingEvery interval: String, _ options: [String]) async throws -> CommandRun {
            let serving = ["--listen", "127.0.0.1:0", "--data-dir", directory.path]
            return try await CommandRun.start(
                .dialtone,
                [command, "--endpoint", "http://203.0.113.1/generate_204", "--timeout", "2", "--interval", interval]
                    + (command == "serve" ? serving : []) + options, in: network.client)
        }
    }

    private static let address = ["--public-address", "203.0.113.53"]

    @Test(
        arguments: [
            ("serve", address, true), ("watch", address + ["--heartbeat", "1"], true),
            ("serve", address + ["--heartbeat", "off"], false), ("serve", [], false),
            ("serve", address + ["--passive"], false), ("watch", address, false),
            ("watch", ["--heartbeat", "1"], false),
        ] as [(String, [String], Bool)])
    func `serve sends a heartbeat by default, watch on request, and neither to addresses that are not allowed`(
        command: String, options: [String], isBeating: Bool
    ) async throws {
        let lab = try await Lab()
        let run = try await lab.start(command, checkingEvery: "0.1", options)
        if isBeating {
            try await eventually { lab.beats > 0 }
        } else if options.contains("--passive") {
            _ = try await run.output.next { $0.hasPrefix("Serving on ") }
        } else {
            // The first beats follow the first check.
            try await eventually { lab.internet.requests.count > 3 }
        }
        run.interrupt()
        #expect(try await run.exitStatus() == 0)
        #expect((lab.beats > 0) == isBeating)
    }

    @Test(arguments: [("serve", ["--heartbeat", "1"]), ("watch", ["--heartbeat", "1", "--json"])])
    func `an outage between two checks is noticed`(command: String, options: [String]) async throws {
        let lab = try await Lab()
        let run = try await lab.start(command, checkingEvery: "86400", Self.address + options)
        try await eventually { lab.beats > 3 }
        let lines = command == "serve" ? run.errors : run.output
        lab.pass(false)
        _ = try await lines.next(timeout: .seconds(60)) { $0.contains("noInternet") || $0.contains("limited") }
        lab.pass(true)
        _ = try await lines.next(timeout: .seconds(60)) { $0.contains("online") && !$0.contains("limited") }
        run.interrupt()
        #expect(try await run.exitStatus() == 0)
    }
}
#endif
