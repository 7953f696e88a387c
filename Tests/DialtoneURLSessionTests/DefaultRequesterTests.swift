// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Glibc
import Netlink
import TestSupport
import Testing

/// `NetworkRequester` as in the documentation's sample, with its default session and the shared monitor.
@Suite(.requires(.networkNamespaces), .requires(.mounts), .timeLimit(.minutes(5)))
struct DefaultRequesterTests {
    /// The output without its first and last lines.
    private static func result(_ run: CommandRun) async throws -> [String] {
        #expect(try await run.exitStatus(timeout: .seconds(90)) == 0)
        return Array(run.output.values.dropFirst().dropLast())
    }

    @Test func `a request whose network is lost ends, by default after ten seconds`() async throws {
        let network = try RoutedLab()
        let server = try TestServer(in: network.internet) { _ in .hold }
        try await network.join()
        let run = try await CommandRun.start(
            .sessionClient, ["requester-default", "http://203.0.113.1/"], in: network.client)
        _ = try await server.requests.next()
        // clock: the limit of another process is in real time.
        let start = ContinuousClock.now
        try await network.setCable(connected: false)
        #expect(
            try await Self.result(run) == [
                "outcome offline", "text You are offline. No carrier on up0: is the cable in?", "offline",
            ])
        // clock: as above.
        #expect(.now - start >= .seconds(10))
        server.release()
    }

    @Test(arguments: [["data", "--no-wait", "--fail"], ["delegate"], ["requester-default"]])
    func `without a path, no name server is asked, not even one on this machine`(arguments: [String]) async throws {
        let lab = try await NamedLab(nameServer: "127.0.0.1")
        let names = ScriptedResolver(otherwise: .silence)
        let server = try await lab.network.client.run {
            var kernel = try RouteNetlink()
            try kernel.setLink(1, up: true)
            return try ScriptedNameServer(playing: names, address: "127.0.0.1")
        }
        let options = arguments.dropFirst()
        let run = try await lab.request(arguments[0], options.first ?? "-", options.last ?? "-")
        let isWaiting = arguments[0] == "delegate"
        let line = isWaiting ? "waiting" : arguments[0] == "data" ? "error -1009 -" : "outcome offline"
        _ = try await run.output.next { $0 == line }
        if isWaiting {
            // Another client's request, which does not wait, fails meanwhile.
            let other = try await lab.request("data", "--no-wait", "--fail")
            #expect(try await other.exitStatus() == 0)
            run.terminate()
        }
        #expect(try await run.exitStatus() == (isWaiting ? 128 + SIGTERM : 0))
        #expect(names.questions.isEmpty)
        withExtendedLifetime(server) {}
    }
}
#endif
