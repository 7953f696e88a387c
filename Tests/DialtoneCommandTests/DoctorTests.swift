// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import TestSupport
import Testing

@testable import DialtoneTesting

/// `dialtone doctor` as a user runs it, with a fault at each hop in turn.
@Suite(.requires(.networkNamespaces), .requires(.ownResolverFile))
struct DoctorTests {
    private func examine(_ lab: ServedLab, _ arguments: [String] = []) async throws -> (Int32, [String: Any]) {
        let run = try await lab.run(["doctor", "--json"] + ServedLab.endpoints + arguments)
        let status = try await run.exitStatus()
        let line = try #require(run.output.values.first, "\(run.errors.values)")
        return (status, try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]))
    }

    private func outcomes(_ report: [String: Any], _ key: String) -> [String] {
        (report[key] as? [[String: Any]] ?? []).compactMap { $0["outcome"] as? String }
    }

    @Test func `a working network has no fault`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        let (status, report) = try await examine(lab)
        #expect(status == 0)
        #expect(report["fault"] is NSNull && report["cause"] is NSNull)
        #expect(report["connectivity"] as? String == "online")
        #expect(outcomes(report, "routers") == ["answers"])
        #expect(outcomes(report, "nameServers") == ["answers"])
    }

    /// All of a report belongs to one state of the network.
    @Test(.requires(.callSupervision)) func `a diagnosis reads the kernel once`() async throws {
        let lab = try await ServedLab()
        let arguments = ["doctor", "--timeout", "3"] + ServedLab.endpoints
        #expect(try await lab.kernelReads(arguments) == 1)
        try await lab.network.join()
        let withHost = try await lab.kernelReads(arguments + ["203.0.113.1"])
        try lab.network.silenceRouter()
        let withFault = try await lab.kernelReads(arguments)
        #expect(withHost == 1 && withFault == 1, "\(withHost), \(withFault)")
    }

    /// In the table of networks, a check may end before the kernel gives up a router.
    @Test func `a router that does not answer is reported rather than the hops beyond it`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        try lab.network.silenceRouter()
        let (status, report) = try await examine(lab)
        #expect(status == 3)
        #expect(report["fault"] as? String == "router", "\(report)")
        #expect(report["cause"] as? String == "router")
    }

    @Test func `a host that is down is the fault while the Internet works`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        let (status, report) = try await examine(lab, ["203.0.113.1:9"])
        #expect(status == 1)
        #expect(report["fault"] as? String == "host" && report["cause"] is NSNull)
        #expect((report["host"] as? [String: Any])?["reachable"] as? Bool == false)
        #expect(try await examine(lab, ["203.0.113.1:80"]).0 == 0)
    }

    @Test(.requires(.tunnels), arguments: ["203.0.113.10:9", "missing.example", "203.0.113.77:80"])
    func `a host that refuses, has no name or is silent is the fault while the Internet works`(host: String)
        async throws
    {
        let lab = try await FaultLab()
        try await lab.join()
        let run = try await lab.served.run(["doctor", host])
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 1)
        #expect(run.output.values.first == "The Internet works, but the host cannot be reached.")
    }

    @Test(.requires(.tunnels)) func `names that a proxy resolves cause no contact to public addresses`() async throws {
        let lab = try await FaultLab()
        try await lab.join()
        lab.play(.silence)
        try await lab.proxy(answering: 502)
        let run = try await lab.served.run(
            ["doctor", "--json"], environment: ["http_proxy": FaultLab.proxy, "https_proxy": FaultLab.proxy])
        _ = try await run.exitStatus(timeout: .seconds(120))
        let line = try #require(run.output.values.first, "\(run.errors.values)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(report["fault"] as? String == "proxy")
        #expect((report["publicAddresses"] as? [Any])?.isEmpty == true)
    }

    @Test func `the text is one sentence, and a line for each hop`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        // The verdict of a majority does not wait for all.
        let run = try await lab.run(["doctor", "--timeout", "30", "--quorum", "100%"] + ServedLab.endpoints)
        #expect(try await run.exitStatus() == 0)
        #expect(
            run.output.values == [
                "Nothing is wrong: the Internet answers.", "  machine    up0 (wired Ethernet), IPv4, DNS",
                "  router     192.0.2.1 answers", "  names      203.0.113.53 answers",
                "  Internet   3 of 3 endpoints answered as expected",
            ])
    }

    /// What keeps a name server from answering a query over UDP, while names are resolved nevertheless.
    enum OtherResolution: CaseIterable {
        /// No server is configured, so that the C library queries one on this machine.
        case onThisMachine
        /// The C library finds names elsewhere, as a resolver does that queries over TLS; the configured server is silent.
        case elsewhere
        /// The C library queries over TCP (`use-vc`, resolv.conf(5)); what is sent over UDP is dropped.
        case overTCP
    }

    @Test(.requires(.tunnels), arguments: OtherResolution.allCases)
    func `a name server whose silence does not matter is listed neither in the text nor in the JSON`(
        resolution: OtherResolution
    ) async throws {
        let lab = try await FaultLab()
        switch resolution {
        case .onThisMachine:
            try lab.served.configureNames("")
            let names = lab.served.names
            lab.keep(
                try await lab.served.network.client.run {
                    try ScriptedNameServer(playing: names, address: "127.0.0.1")
                })
        case .elsewhere:
            try lab.served.configureHosts(FaultLab.hosts.map { "203.0.113.\($1) \($0)\n" }.joined())
            lab.wires.wan.play { $0.hasPort(53) ? .drop : .pass }
        case .overTCP:
            try lab.served.configureNames("nameserver 203.0.113.53\noptions use-vc\n")
            let names = lab.served.names
            let listener = try await lab.served.network.internet.run { try TCPListener("203.0.113.53", port: 53) }
            listener.serve { names.answer(over: $0) }
            lab.keep(listener)
            let udp: UInt8 = 17
            lab.wires.wan.play { $0.transport == udp && $0.hasPort(53) ? .drop : .pass }
        }
        try await lab.join()
        let texts = try await lab.served.run(["doctor"])
        #expect(try await texts.exitStatus(timeout: .seconds(120)) == 0)
        let lines = texts.output.values
        #expect(lines.first == "Nothing is wrong: the Internet answers.")
        let contradictions = ["does not answer", "no server", "no DNS"]
        #expect(!lines.contains { line in contradictions.contains(where: line.contains) }, "\(lines)")
        let run = try await lab.served.run(["doctor", "--json"])
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 0)
        let line = try #require(run.output.values.first, "\(run.errors.values)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(outcomes(report, "nameServers").allSatisfy { $0 == "answers" }, "\(line)")
        #expect(outcomes(report, "routers") == ["answers", "answers"])
        #expect((report["facts"] as? [String: Any])?["operators"] is [Any])
    }

    @Test(arguments: [["host:0"], ["a b"], [""], ["x", "y"], ["--quorum", "0"]])
    func `wrong usage ends with 64`(arguments: [String]) async throws {
        let run = try await CommandRun.start(.dialtone, ["doctor"] + arguments, in: NetworkNamespace())
        #expect(try await run.exitStatus() == 64)
        #expect(!run.errors.values.isEmpty)
    }
}

extension ScriptedResolver {
    /// Answers the queries of a connection, each after its length (RFC 1035, section 4.2.2), and closes it.
    fileprivate func answer(over connection: Int32) {
        let stream = FileHandle(fileDescriptor: connection, closeOnDealloc: true)
        while let length = try? stream.read(upToCount: 2), length.count == 2,
            let query = try? stream.read(upToCount: Int(length[0]) << 8 | Int(length[1])),
            let question = NameQuestion([UInt8](query)[...]), let reply = question.reply(answer(to: question.name))
        {
            try? stream.write(contentsOf: [UInt8(reply.count >> 8), UInt8(reply.count & 0xFF)] + reply)
        }
    }
}
