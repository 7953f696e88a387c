// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// `dialtone doctor` in front of each fault, made on the wire: the hop that is blamed, and the sentence.
@Suite(.requires(.networkNamespaces), .requires(.ownResolverFile))
struct DoctorFaultTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: String?
        let headline: String
        var behavior = ScriptedInternet.Behavior.online
        var resolver = "203.0.113.53"
        var joins = true
        var operators = FaultLab.operators
        var arguments: [String] = []
        var environment: [String: String] = [:]
        /// Whether a router or host reports errors; the kernel limits their number.
        var reportsErrors = false
        let arrange: @Sendable (FaultLab) async throws -> Void

        init(
            _ name: String, _ fault: String?, _ headline: String, _ behavior: ScriptedInternet.Behavior = .online,
            resolver: String = "203.0.113.53", joins: Bool = true, operators: [String] = FaultLab.operators,
            arguments: [String] = [], environment: [String: String] = [:],
            reportsErrors: Bool = false,
            arrange: @escaping @Sendable (FaultLab) async throws -> Void = { _ in }
        ) {
            (testDescription, self.fault, self.headline, self.behavior) = (name, fault, headline, behavior)
            (self.resolver, self.joins, self.arguments) = (resolver, joins, arguments)
            (self.operators, self.environment, self.arrange) = (operators, environment, arrange)
            self.reportsErrors = reportsErrors
        }
    }

    // MARK: This machine

    private static let checkGateway = "check that a gateway is set."
    private static let blocked = "A routing rule on this machine blocks outgoing traffic (VPN kill switch?)."

    static let machine: [Row] = [
        Row(
            "no link", "machine", "Offline. This machine has no network interface except loopback.", joins: false
        ) { lab in
            var kernel = try RouteNetlink(in: lab.served.network.client)
            try kernel.deleteLink(kernel.link(named: "up0").index)
        },
        Row("link down", "machine", "Offline. up0 is switched off.", joins: false),
        Row("no carrier", "machine", "Offline. No carrier on up0: is the cable in?") { try await $0.unplug() },
        Row("no address", "machine", "Offline. up0 has no address: check the router's DHCP.", joins: false) {
            try await $0.connectLink()
        },
        Row(
            "tentative address", "machine",
            "Offline. The address on up0 is still being checked; this takes a second or two.", joins: false
        ) { lab in
            let client = lab.served.network.client
            try await client.run {
                // Each of the kernel's checks takes a second.
                let file = "/proc/sys/net/ipv6/conf/up0/dad_transmits"
                try "100".write(toFile: file, atomically: false, encoding: .utf8)
            }
            try await lab.connectLink()
            var kernel = try RouteNetlink(in: client)
            try kernel.addAddress("2001:db8:1::2/64", to: kernel.link(named: "up0").index)
        },
        Row(
            "no default route", "machine",
            "Offline. There is an address, but no route to the Internet: \(checkGateway)"
        ) { try $0.defaultRoute(nil) },
        Row("unreachable default route", "machine", "Offline. \(blocked)") { try $0.defaultRoute(.unreachable) },
        Row("prohibited default route", "machine", "Offline. \(blocked)") { try $0.defaultRoute(.prohibit) },
        Row("discarding default route", "machine", "Offline. \(blocked)") { try $0.defaultRoute(.blackhole) },
        Row(
            "clock", "machine",
            "HTTPS does not pass: certificates are not valid at this machine's time: check its clock.",
            .init(https: .expired)),
        Row(
            "no trusted certificates", "machine", "HTTPS cannot be checked: no CA certificates are installed.",
            arguments: ["--require-tls"], environment: ["SSL_CERT_FILE": "/dev/null", "SSL_CERT_DIR": "/nowhere"]),
    ]

    // MARK: Router and uplink

    private static let router = "The router does not answer: is it on, and is this the right network?"
    private static let provider =
        "The router answers, but nothing beyond it does: check the router's uplink, or call the provider."
    private static let noRoute =
        "A router reports that it has no route to the Internet: check its uplink, or call the provider."

    static let uplink: [Row] = [
        Row("silent router", "router", router) { try $0.served.network.silenceRouter() },
        Row("silent router that is the name server", "router", router, resolver: "192.0.2.1") {
            try $0.served.network.silenceRouter()
        },
        Row("router without an uplink", "provider", noRoute, reportsErrors: true) {
            try $0.served.network.setUplink(up: false)
        },
        Row("router that rejects packets", "provider", noRoute, reportsErrors: true) {
            try await $0.cutUplink(.unreachable)
        },
        Row("router that prohibits packets", "provider", noRoute, reportsErrors: true) {
            try await $0.cutUplink(.prohibit)
        },
        Row("silent uplink", "provider", provider) { try await $0.cutUplink(.blackhole) },
        Row("silent uplink, failing forwarder", "provider", provider, resolver: "192.0.2.1") { lab in
            try await lab.forwarder(.serverFailure)
            try await lab.cutUplink(.blackhole)
        },
        Row("silent uplink, silent forwarder", "provider", provider, resolver: "192.0.2.1") { lab in
            try await lab.forwarder(.silence)
            try await lab.cutUplink(.blackhole)
        },
        Row("silent uplink, lying forwarder", "provider", provider, resolver: "192.0.2.1") { lab in
            try await lab.forwarder(.notFound)
            try await lab.cutUplink(.blackhole)
        },
        Row("silent uplink, names from a cache", "provider", provider, resolver: "192.0.2.1") { lab in
            try await lab.forwarder(.addresses("203.0.113.10"))
            try await lab.cutUplink(.blackhole)
        },
    ]

    // MARK: Names

    private static let works = "The connection itself works: the Internet answers without names."

    static let names: [Row] = [
        Row("no name server", "nameServers", "No DNS server is configured. \(works)") {
            try $0.served.configureNames("")
        },
        Row("silent name server", "nameServers", "DNS servers do not answer (203.0.113.53). \(works)") {
            $0.play(.silence)
        },
        Row("silent forwarder", "nameServers", "DNS servers do not answer (192.0.2.1). \(works)", resolver: "192.0.2.1")
        {
            try await $0.forwarder(.silence)
        },
        Row(
            "no service on the name server", "nameServers", "DNS servers refuse queries (203.0.113.30). \(works)",
            resolver: "203.0.113.30", reportsErrors: true),
        Row("REFUSED", "nameServers", "DNS servers answer with an error (203.0.113.53). \(works)") {
            $0.play(.refusal)
        },
        Row("SERVFAIL", "nameServers", "DNS servers answer with an error (203.0.113.53). \(works)") {
            $0.play(.serverFailure)
        },
        Row(
            "SERVFAIL of a forwarder", "nameServers", "DNS servers answer with an error (192.0.2.1). \(works)",
            resolver: "192.0.2.1"
        ) { try await $0.forwarder(.serverFailure) },
        Row("SERVFAIL from afar, no other answer", "nameServers", "DNS servers answer with an error (203.0.113.53).") {
            $0.play(.serverFailure)
            try await $0.router(.blackhole, "1.1.1.1/32", "8.8.8.8/32", "9.9.9.9/32")
        },
        Row(
            "NXDOMAIN for all names", "nameServers",
            "The names of the endpoints do not exist, or have no address. \(works)"
        ) { $0.play(.notFound) },
        Row(
            "empty answers", "nameServers", "The names of the endpoints do not exist, or have no address. \(works)"
        ) { $0.play(.addresses()) },
        Row(
            "answers forged to a private address", "nameServers",
            "DNS answers lead to private addresses: something is forging them. \(works)"
        ) { $0.play(.hijacked) },
        Row(
            "answers forged to one public address", "nameServers",
            "DNS answers lead to one wrong address (203.0.113.30): something is forging them. \(works)",
            .always(.answer(404), https: .misnamed)
        ) { $0.play(.addresses("203.0.113.30")) },
        Row("first name server dead", nil, "Nothing is wrong: the Internet answers.", reportsErrors: true) {
            try $0.served.configureNames(
                "nameserver 203.0.113.30\nnameserver 203.0.113.53\noptions timeout:1 attempts:2\n")
        },
    ]

    // MARK: Beyond

    private static let login = "The network requires a login: open its page in a browser."
    private static let ask = "Ask the operator of this network."
    private static let proxy = ["http_proxy": "http://203.0.113.30:3128", "https_proxy": "http://203.0.113.30:3128"]
    private static let theProxy = "The proxy http://203.0.113.30:3128"
    private static let advice = "Ask its operator, or check its address."
    private static let noHost = "The Internet works, but the host cannot be reached."
    /// The whole Internet but the name server and the public addresses.
    private static let servers: [NetworkPrefix] = [
        "203.0.113.10/32", "203.0.113.11/32", "203.0.113.20/32", "203.0.113.21/32",
    ]

    static let beyond: [Row] = [
        Row("login by redirect", "portal", login, .portal(.redirect)),
        Row("login by page", "portal", login, .portal(.content)),
        Row("login by status 511", "portal", login, .portal(.networkAuthenticationRequired)),
        Row("HTTPS blocked in silence", "filter", "HTTPS does not pass: secure connections are not answered. \(ask)") {
            try await $0.router(.blackhole, "203.0.113.20/32", "203.0.113.21/32")
        },
        Row(
            "HTTPS accepted in silence", "filter", "HTTPS does not pass: secure connections are not answered. \(ask)",
            .init(https: .silent)),
        Row(
            "HTTPS refused", "filter", "HTTPS does not pass: secure connections are refused. \(ask)",
            .init(https: .closed)),
        Row(
            "HTTPS reset", "filter", "HTTPS does not pass: secure connections are refused. \(ask)",
            .init(https: .resetting)),
        Row(
            "foreign certificates", "filter",
            "HTTPS does not pass: something is intercepting secure connections. \(ask)",
            .init(https: .untrusted)),
        Row(
            "certificates for other names", "filter",
            "HTTPS does not pass: something is intercepting secure connections. \(ask)",
            .init(https: .misnamed)),
        Row(
            "foreign certificates, and nothing over HTTP", "filter",
            "Something is intercepting secure connections. \(ask)", .init(http: .closed, https: .untrusted)),
        Row("everything refused", "filter", "Connections are refused. \(ask)", .refusing),
        Row("everything blocked but names", "filter", "Nothing answers. \(ask)") { lab in
            for prefix in servers { try await lab.router(.blackhole, prefix) }
        },
        Row(
            "accepted in silence", "filter", "Connections are accepted, but no answer arrives. \(ask)", .silent),
        Row(
            "answers that come too late", "filter", "Connections are accepted, but no answer arrives. \(ask)",
            .slow(.seconds(60))),
        Row(
            "status 503 everywhere", "endpoints",
            "Servers answer with an error (status 503). The connection itself works.", .always(.answer(503))),
        Row(
            "answers that are not HTTP", "endpoints", "Servers answer, but not as expected.",
            .always(.raw(Array("garbage\r\n".utf8)))),
        Row(
            "one operator whose certificate is foreign", "endpoints",
            "HTTPS does not pass: the certificate of alpha.example is not trusted. Only alpha.example was queried, so the fault may be there.",
            .init(https: .untrusted), operators: ["alpha.example"]),
        Row(
            "one operator that refuses", "endpoints",
            "Connections are refused. Only alpha.example was queried, so the fault may be there.", .refusing,
            operators: ["alpha.example"]),
        Row("proxy that refuses", "proxy", "\(theProxy) refuses connections. \(advice)", environment: proxy),
        Row("silent proxy", "proxy", "\(theProxy) does not answer. \(advice)", environment: proxy) {
            try await $0.router(.blackhole, "203.0.113.30/32")
        },
        Row(
            "proxy that requires a login", "proxy", "\(theProxy) requires a user name and a password. \(advice)",
            environment: proxy
        ) { try await $0.proxy(answering: 407) },
        Row(
            "proxy without the Internet", "proxy", "\(theProxy) answers with an error (status 502). \(advice)",
            environment: proxy
        ) { try await $0.proxy(answering: 502) },
        Row("host that refuses", "host", noHost, arguments: ["203.0.113.10:9"]),
        Row("host without a name", "host", noHost, arguments: ["missing.example"]),
        Row("silent host", "host", noHost, arguments: ["203.0.113.40:80"]) {
            try await $0.router(.blackhole, "203.0.113.40/32")
        },
        Row("nothing wrong", nil, "Nothing is wrong: the Internet answers.", arguments: ["203.0.113.10:80"]),
    ]

    @Test(arguments: machine + uplink + names + beyond)
    func `the place and the sentence are those of the fault`(row: Row) async throws {
        let lab = try await FaultLab(row.behavior, resolver: row.resolver)
        if row.joins { try await lab.join() }
        try await row.arrange(lab)
        let arguments = ["doctor", "--timeout", "9"] + FaultLab.endpoints(of: row.operators) + row.arguments
        let json = try await lab.served.run(arguments + ["--json"], environment: row.environment)
        if row.reportsErrors { _ = try await json.exitStatus(timeout: .seconds(120)) }
        let text = try await lab.served.run(arguments, environment: row.environment)
        if !row.reportsErrors { _ = try await json.exitStatus(timeout: .seconds(120)) }
        _ = try await text.exitStatus(timeout: .seconds(120))

        let line = try #require(json.output.values.first, "\(json.errors.values)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["fault"] as? String == row.fault, "\(line)")
        #expect((object["explanation"] is NSNull) == (row.fault == nil))
        #expect(text.output.values.first == row.headline, "\(text.output.values)")
        #expect(text.errors.values.isEmpty && json.errors.values.isEmpty)
        // No sentence appears twice, and none ends twice. An address may be a router's and a name server's.
        let hops = ["  router", "  names", "  address"]
        let lines = text.output.values.filter { line in !hops.contains { line.hasPrefix($0) } }.enumerated()
            .map { $0 == 0 ? $1 : String($1.dropFirst(13)) }
        let sentences = lines.flatMap { $0.components(separatedBy: ". ") }.map {
            $0.trimmingCharacters(in: [".", " "])
        }
        for sentence in Set(sentences) where sentence.contains(" ") {
            #expect(sentences.count { $0 == sentence } == 1, "\(text.output.values)")
        }
        #expect(!text.output.values.contains { $0.contains("..") }, "\(text.output.values)")
        // Public addresses are contacted only if names fail.
        let contacted = object["publicAddresses"] as? [[String: Any]] ?? []
        let internet = object["internet"] as? [String: Any]
        let failsAtNames = (internet?["endpoints"] as? [[String: Any]] ?? []).contains {
            ($0["error"] as? [String: Any])?["step"] as? String == "resolve"
        }
        if !failsAtNames, row.fault != "nameServers" { #expect(contacted.isEmpty, "\(line)") }
    }

    @Test func `names that a proxy resolves cause no contact to public addresses`() async throws {
        let lab = try await FaultLab()
        try await lab.join()
        lab.play(.silence)
        try await lab.proxy(answering: 502)
        let run = try await lab.served.run(
            ["doctor", "--json", "--timeout", "9"] + FaultLab.endpoints, environment: Self.proxy)
        _ = try await run.exitStatus(timeout: .seconds(120))
        let line = try #require(run.output.values.first, "\(run.errors.values)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["fault"] as? String == "proxy")
        #expect((object["publicAddresses"] as? [Any])?.isEmpty == true)
    }
}

extension FaultLab {
    /// Runs a name server on the router, which gives one answer.
    fileprivate func forwarder(_ answer: ScriptedResolver.Answer) async throws {
        keep(
            try await served.network.runInRouter {
                try ScriptedNameServer(playing: ScriptedResolver(otherwise: answer), address: "192.0.2.1")
            })
    }

    /// Runs a proxy that answers every request with a status.
    fileprivate func proxy(answering status: Int) async throws {
        keep(
            try await served.network.internet.run {
                try ScriptedInternet(.always(.answer(status)), address: "203.0.113.30", httpPort: 3128)
            })
    }
}
