// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
import TestSupport
import Testing

/// Requests in flight, whose server does not answer, while the network is lost.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct LostNetworkSessionTests {
    /// The ways in which a connection loses the network.
    enum Loss: String, CaseIterable { case cable, address, route }

    private static func lose(_ loss: Loss, _ network: RoutedLab) async throws {
        switch loss {
        case .cable: try await network.setCable(connected: false)
        case .address:
            try await network.client.run {
                var kernel = try RouteNetlink()
                let link = try kernel.link(named: "up0").index
                try kernel.deleteAddress("192.0.2.2/24", from: link)
                // The path returns at once, with another address.
                try kernel.addAddress("192.0.2.3/24", to: link)
                try kernel.addRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1)))
            }
        case .route:
            try await network.client.run {
                var kernel = try RouteNetlink()
                try kernel.deleteRoute(NewRoute(.all(.ipv4), via: NetworkAddress(192, 0, 2, 1)))
            }
        }
    }

    @Test(arguments: Loss.allCases, ["data", "post"])
    func `a request in flight ends with -1005 when the network is gone for the limit`(loss: Loss, style: String)
        async throws
    {
        let lab = try SessionLab { _ in .hold }
        try await lab.network.join()
        let run = try await lab.request(style, "--no-wait", "--fail", "--loss-1", "--request-timeout-600", "--texts")
        _ = try await lab.server.requests.next()
        // clock: the limit of another process is in real time.
        let start = ContinuousClock.now
        try await Self.lose(loss, lab.network)
        #expect(try await run.exitStatus() == 0)
        // clock: as above.
        #expect(.now - start >= .seconds(1))
        #expect(run.output.values.prefix(3) == ["begins", "error -1005 -", "text The network connection was lost."])
        lab.server.release()
    }

    @Test func `a request whose body is arriving ends, too`() async throws {
        let lab = try SessionLab { _ in .stream }
        try await lab.network.join()
        let run = try await lab.request("delegate", "--loss-1")
        _ = try await run.output.next { $0.hasPrefix("data") }
        // clock: the limit of another process is in real time.
        let start = ContinuousClock.now
        try await lab.network.setCable(connected: false)
        _ = try await run.output.next { $0 == "completed -1005" }
        // clock: as above.
        #expect(.now - start >= .seconds(1))
        #expect(try await run.exitStatus() == 0)
        lab.server.release()
    }

    @Test func `a request survives a shorter loss`() async throws {
        let lab = try SessionLab { _ in .hold }
        try await lab.network.join()
        // On a busy machine the other client takes long to start.
        let run = try await lab.request("upload", "--loss-600", "--request-timeout-600")
        _ = try await lab.server.requests.next()
        try await lab.network.setCable(connected: false)
        // Another client, which is not patient, shows that the loss has been noticed.
        let other = try await lab.request("data", "--resource-timeout")
        #expect(try await other.exitStatus() == 0)
        try await lab.network.setCable(connected: true)
        lab.server.release()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 released", "ends"])
        #expect(lab.server.requests.values.map(\.method) == ["POST"])
    }

    @Test func `a request to this machine needs no network`() async throws {
        let lab = try SessionLab { _ in .hold }
        try await lab.network.join()
        let local = try TestServer(in: lab.network.client) { _ in .hold }
        let run = try await CommandRun.start(
            .sessionClient, ["data", "http://127.0.0.1/", "--loss-1"], in: lab.network.client)
        _ = try await local.requests.next()
        // Another request, which needs it, ends meanwhile, although its limit is longer.
        let other = try await lab.request("data", "--no-wait", "--fail", "--loss-5")
        _ = try await lab.server.requests.next()
        try await lab.network.setCable(connected: false)
        #expect(try await other.exitStatus() == 0)
        #expect(other.output.values == ["begins", "error -1005 -", "ends"])
        lab.server.release()
        local.release()
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "status 200 released", "ends"])
    }
}
#endif
