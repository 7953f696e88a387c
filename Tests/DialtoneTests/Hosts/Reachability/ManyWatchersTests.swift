// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc
import Netlink
import Synchronization
import TestSupport
import Testing

@testable import Dialtone

/// Counts the reads of many tasks that wait for hosts with names.
@Suite(.requires(.networkNamespaces), .requires(.callSupervision), .timeLimit(.minutes(5)))
struct ManyWatchersTests {
    @Test func `a thousand waiting tasks read the kernel as often as one, and the hosts file once for each version`()
        async
    {
        await #expect(processExitsWith: .success) {
            let one = try await Reads(ofWatchers: 1)
            let many = try await Reads(ofWatchers: 1000)
            #expect(many.opens == [1, 0, 1])
            #expect(one.opens == many.opens)
            // Addresses of the links may be announced at any time.
            #expect(many.sends < one.sends + 10)
        }
    }

    @Test func `a hosts file in use is not read again until it changes`() throws {
        let file = try HostsFileForTests()
        let reader = HostsFileReader(file.path)
        let first = reader.read()
        #expect(reader.read() === first)
        // The size differs, too: the time of a file has ticks, and both may be written in one.
        try file.write("192.0.2.99 a.example\n")
        #expect(reader.read().addresses(of: "a.example").map(\.description) == ["192.0.2.99"])
        #expect(HostsFileReader("/nowhere").read().addresses(of: "a.example").isEmpty)
    }
}

/// The system calls of watchers of the routes to named hosts, while the network and the hosts file change.
private struct Reads {
    /// How often the hosts file was opened: until all had their routes, after a change of the network, and after one of
    /// both.
    var opens: [Int] = []
    /// The number of requests to the kernel for the two changes.
    var sends = 0

    init(ofWatchers count: Int) async throws {
        let lab = try await HostLab()
        let (near, far): (NetworkAddress, NetworkAddress) = ("192.0.2.1", "198.51.100.7")
        let names = (0..<count).map { "h\($0).example" }
        let file = try HostsFileForTests()
        try file.write("\(far) \(names.joined(separator: " "))\n")
        let opened = try OpenCounter(file.path)
        var environment = HostEnvironment.system
        environment.hostsFile = HostsFileReader(file.path)

        let (supervision, supervisor) = (Supervision(), try Supervision.Supervisor())
        let routed = Mutex<[String: Set<NetworkAddress>]>([:])
        let changed = Recorder<[Set<NetworkAddress>: Int]>()
        let watches = try await lab.machine.run { [environment] in
            try supervision.begin(supervisor)
            return names.map { name in
                environment.watchRoutes(to: [.name(name)]) { routes in
                    changed.record(
                        routed.withLock { routed in
                            routed[name] = Set(routes.keys).intersection([near, far])
                            return Dictionary(routed.values.map { ($0, 1) }, uniquingKeysWith: +)
                        })
                }
            }
        }
        func wait(for addresses: Set<NetworkAddress>) async throws {
            _ = try await changed.next(timeout: .seconds(120)) { $0 == [addresses: count] }
            opens.append(try opened.next())
        }
        try await wait(for: [far])
        let before = supervision.count(.send)
        var kernel = try RouteNetlink(in: lab.machine)
        let route = NewRoute(.all(.ipv4), via: near, interface: lab.uplink)
        try kernel.deleteRoute(route)
        try await wait(for: [])
        try file.write("\(near) \(names.joined(separator: " "))\n")
        try kernel.addRoute(route)
        try await wait(for: [near])
        sends = supervision.count(.send) - before
        for watch in watches { watch.cancel() }
    }
}

/// A hosts file of a test.
private final class HostsFileForTests: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
    var path: String { url.path(percentEncoded: false) }

    init() throws { try Data("127.0.0.1 localhost\n".utf8).write(to: url) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String) throws {
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: Data(text.utf8))
        try file.truncate(atOffset: UInt64(text.utf8.count))
        try file.close()
    }
}

/// Counts how often a file is opened: inotify(7).
private struct OpenCounter {
    private let number: Int32

    init(_ path: String) throws {
        number = inotify_init1(Int32(IN_NONBLOCK))
        // With the event of closing in between, the kernel does not merge two of opening.
        guard inotify_add_watch(number, path, UInt32(IN_OPEN | IN_CLOSE_NOWRITE)) >= 0 else {
            throw CocoaError(.fileReadUnknown)
        }
    }

    /// The number of times since the last call.
    func next() throws -> Int {
        var count = 0
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let read = read(number, &buffer, buffer.count)
            guard read > 0 else { return count }
            // Events of a watched file have no name: watch, mask, cookie and length, 4 bytes each.
            for offset in stride(from: 0, to: read, by: 16) where buffer[offset + 4] & UInt8(IN_OPEN) != 0 {
                count += 1
            }
        }
    }
}
#endif
