// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import DialtoneHistory
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
    fileprivate final class Lab: Sendable {
        let network: RoutedLab
        let internet: ScriptedInternet
        let names: ScriptedNameServer
        private let beatCount = Mutex(0)
        let directory: URL

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

    fileprivate static let address = ["--public-address", "203.0.113.53"]

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
            // Another server, which starts later, sends one meanwhile.
            let other = try await Lab()
            let beating = try await other.start(command, checkingEvery: "0.1", Self.address)
            try await eventually { other.beats > 0 }
            beating.interrupt()
            #expect(try await beating.exitStatus() == 0)
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

    @Test func `what the heartbeat has counted before a stop is in the history`() async throws {
        let lab = try await Lab()
        let run = try await lab.start("serve", checkingEvery: "86400", Self.address + ["--heartbeat", "1"])
        try await eventually { lab.beats > 6 }
        run.interrupt()
        #expect(try await run.exitStatus() == 0)
        let hops = try await HistoryReader(lab.directory).hops(from: .distantPast, to: .distantFuture)
        #expect(hops.filter { $0.hop == .beyond }.map(\.statistics.sent).reduce(0, +) > 2)
    }
}

/// The lines of the hops beside the link's own log.
@Suite(.requires(.networkNamespaces), .requires(.tunnels), .timeLimit(.minutes(5)))
struct TimedHopLineTests {
    /// The packets to the server beyond the router, by the time at which they were sent.
    private final class PacketLog: Sendable {
        let packets = Mutex<[(sent: Date, isLost: Bool, answered: Date?)]>([])

        /// Drops every seventh packet, and delays the others by 20 ms.
        func rule(_ packet: Wire.Packet) -> Wire.Fate {
            // The endpoint is asked over TCP.
            if !packet.isOutward, packet.transport != 6 {
                packets.withLock { packets in
                    if let place = packets.lastIndex(where: { !$0.isLost }) { packets[place].answered = .wall }
                }
            }
            guard packet.isOutward, packet.destination == "203.0.113.53" else { return .pass }
            return packets.withLock { packets in
                packets.append((.wall, packets.count % 7 == 6, nil))
                return packets[packets.count - 1].isLost ? .drop : .late(.milliseconds(20))
            }
        }
    }

    @Test func `the line of a hop is equal to the link's log of the same packets`() async throws {
        let (lab, log) = (try await ServeHeartbeatTests.Lab(), PacketLog())
        lab.network.wires?.wan.play(log.rule)
        let run = try await lab.start(
            "serve", checkingEvery: "86400", ServeHeartbeatTests.address + ["--heartbeat", "1"])
        var hops: [HopPeriod] = []
        // What is learnt in the first minute is not counted where it is not answered.
        try await eventually(within: .seconds(240)) {
            hops = (try? await HistoryReader(lab.directory).hops(from: .distantPast, to: .distantFuture)) ?? []
            return hops.count { $0.hop == .beyond } > 1
        }
        run.interrupt()
        #expect(try await run.exitStatus() == 0)
        let line = try #require(hops.last { $0.hop == .beyond })
        let packets = log.packets.withLock { $0.filter { line.start <= $0.sent && $0.sent < line.end } }
        let lost = packets.count(where: \.isLost)
        #expect(line.statistics.sent == packets.count && packets.count > 30, "\(line), \(packets.count)")
        #expect(line.statistics.lost == lost && lost > 3, "\(line), \(lost)")
        let median = try #require(line.statistics.seconds.median)
        let trips = packets.compactMap { packet in packet.answered.map { $0.timeIntervalSince(packet.sent) } }.sorted()
        let logged = trips[trips.count / 2]
        #expect(abs(median - logged) <= max(0.002, 0.1 * logged), "\(median), \(logged)")
    }
}
#endif
