// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import DialtoneHistory
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import DialtoneCommand
@testable import DialtoneAgent
@testable import DialtoneServer

/// Why this machine is not online, in the same sentence in the library and in every tool.
struct ReasonTests {
    typealias Evidence = InternetCheck.Evidence

    /// A state, its reason, and the reason that a history without sentences derives from the cause that it recorded.
    struct Condition: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let state: ConnectivityState
        let path: NetworkPath
        let report: InternetCheck.Report?
        let sentence: String?
        let recorded: String?

        init(
            _ name: String, _ path: NetworkPath, _ sentence: String?, _ report: InternetCheck.Report? = nil,
            recorded: String?
        ) {
            testDescription = name
            state = ConnectivityState(path, checkedBy: report)
            (self.path, self.report, self.sentence, self.recorded) = (path, report, sentence, recorded)
        }

        var connectivity: Connectivity {
            Connectivity(state: state, path: path, since: .distantPast, evidence: report)
        }
    }

    private static let cable = NetworkPath.Interface(name: "eth0", index: 2, type: .wiredEthernet)
    private static let wired = NetworkPath(
        status: .satisfied, interfaces: [cable], supportsIPv4: true, supportsDNS: true,
        gateways: [.init(NetworkAddress(192, 0, 2, 1))])
    private static let proxy = "http://192.0.2.9:3128"
    private static let portal = URL(string: "http://login.test/welcome") ?? URL(filePath: "/")

    private static func without(_ reason: PathDiagnosis.Reason) -> NetworkPath {
        NetworkPath(
            status: reason == .dormant ? .requiresConnection : .unsatisfied,
            diagnosis: PathDiagnosis(reason, interface: cable))
    }

    private static func report(
        _ verdict: InternetCheck.Verdict, _ code: ProbeError.Code? = nil, during step: ProbeError.Step = .connect,
        _ message: String = "", proxy: String? = nil
    ) -> InternetCheck.Report {
        let failed =
            code.map { code in
                var error = ProbeError(code, during: step, message)
                if code == .proxyFailure { error.proxyStatus = 407 }
                return Evidence.Outcome.failed(error)
            } ?? .passed
        var endpoints = [
            Evidence(url: "http://a.test/", verdict == .partial ? .passed : failed),
            Evidence(url: "https://a.test/", failed),
        ]
        for index in endpoints.indices { endpoints[index].proxy = proxy }
        return .init(verdict: verdict, checkedAt: .distantPast, endpoints: endpoints)
    }

    /// A failed check, whose explanation is the reason.
    private static func limited(
        _ name: String, _ reason: InternetCheck.NoInternetReason, _ code: ProbeError.Code,
        during step: ProbeError.Step = .connect, _ message: String = "", proxy: String? = nil,
        recorded: String? = nil
    ) -> Condition {
        let report = report(.noInternet(reason), code, during: step, message, proxy: proxy)
        return Condition(name, wired, report.reason, report, recorded: recorded ?? reason.description)
    }

    private static func partial(
        _ name: String, _ code: ProbeError.Code, _ sentence: String, recorded: String
    ) -> Condition {
        Condition(name, wired, sentence, report(.partial, code, during: .tls), recorded: recorded)
    }

    private static let diagnoses: [Condition] = PathDiagnosis.Reason.allCases.map { reason in
        let sentence = PathDiagnosis(reason, interface: cable).description
        return Condition(reason.rawValue, without(reason), sentence, recorded: sentence)
    }

    private static let others: [Condition] = [
        Condition(
            "pulled cable", without(.noCarrier), "No carrier on eth0: is the cable in?",
            recorded: "No carrier on eth0: is the cable in?"),
        Condition("no path", NetworkPath(status: .unsatisfied), "There is no path.", recorded: "There is no path."),
        Condition(
            "on demand", NetworkPath(status: .requiresConnection), "A connection is available on demand.",
            recorded: "A connection is available on demand."),
        Condition(
            "sandbox",
            NetworkPath(status: .unsatisfied, limitation: .unavailable("Netlink is not allowed here.")),
            "Netlink is not allowed here.", recorded: "The network state cannot be read."),
        Condition(
            "not checked", wired, "The Internet has not been checked yet.",
            recorded: "The Internet has not been checked yet."),
        Condition(
            "not determined", wired, "Whether this is the Internet could not be determined.",
            report(.inconclusive), recorded: "Whether this is the Internet could not be determined."),
        Condition(
            "portal", wired, "The network requires a login: open its page in a browser.",
            report(.captivePortal(portal)), recorded: "The network requires a login: open its page in a browser."),
        limited(
            "silent DNS", .dnsSilent, .nameServerSilent, during: .resolve, "DNS servers do not answer (192.0.2.53)"
        ),
        limited(
            "DNS refused", .dnsRefused, .nameServerRefused, during: .resolve,
            "DNS servers refuse queries (192.0.2.53)"),
        limited("SERVFAIL", .nameResolution, .nameServerFailure, during: .resolve, "SERVFAIL (192.0.2.53)"),
        limited("names not found", .hostNotFound, .hostNotFound, during: .resolve),
        limited("forged DNS", .hijackedNames, .hijackedName, during: .resolve, "192.168.1.1"),
        limited(
            "TLS intercepted", .tls, .untrustedCertificate, during: .tls,
            recorded: "The certificate of a server is not accepted."),
        limited(
            "wrong clock", .tls, .invalidCertificate, during: .tls,
            recorded: "Certificates are not valid at this machine's time."),
        limited("proxy down", .refused, .refused, proxy: proxy, recorded: "The proxy refuses connections."),
        limited(
            "proxy login", .unexpectedAnswers, .proxyFailure, during: .proxy, "status 407", proxy: proxy,
            recorded: "The proxy requires a user name and a password."),
        limited("refused", .refused, .refused),
        limited("silent", .timedOut, .timedOut, recorded: "Connections are not answered."),
        limited("no route beyond", .unreachable, .unreachable),
        limited("other answers", .unexpectedAnswers, .unexpectedAnswer, during: .headers),
        partial(
            "HTTPS cannot be checked", .tlsUnavailable, "HTTPS cannot be checked: tlsUnavailable.",
            recorded: "HTTPS cannot be checked."),
        Condition(
            "proxy down without a path", without(.noRoute),
            report(.noInternet(.refused), .refused, proxy: proxy).reason,
            report(.noInternet(.refused), .refused, proxy: proxy),
            recorded: "The proxy refuses connections."),
        Condition("online", wired, nil, report(.verified), recorded: nil),
    ]

    private static let codes: [(ProbeError.Code, recorded: String)] = [
        (.untrustedCertificate, "The certificate of a server is not accepted."),
        (.timedOut, "Connections are not answered."),
        (.unexpectedAnswer, "Servers answer, but not as expected."),
        (.refused, "Connections are refused."),
        (.invalidCertificate, "Certificates are not valid at this machine's time."),
    ]

    private static let partials: [Condition] = codes.map { code, recorded in
        let sentence = report(.partial, code, during: .tls).reason ?? ""
        return partial("partial: \(code)", code, sentence, recorded: recorded)
    }

    static let conditions: [Condition] = diagnoses + others + partials

    @Test(arguments: conditions) func `the library has one sentence for every state that is not online`(
        condition: Condition
    ) {
        let reason = condition.connectivity.reason
        #expect(reason == condition.sentence)
        #expect((reason == nil) == (condition.state == .online))
        guard let reason else { return }
        #expect((reason.hasSuffix(".") || reason.hasSuffix("?")) && !reason.hasSuffix(".."))
        #expect("\(condition.connectivity)".hasSuffix(": " + reason))
        if condition.path.status == .satisfied, let report = condition.report { #expect(report.reason == reason) }
    }

    @Test(arguments: conditions) func `every tool says the library's sentence`(condition: Condition) throws {
        guard let sentence = condition.sentence else { return }
        let (connectivity, state, path) = (condition.connectivity, condition.state, condition.path)
        let link = condition.report?.verdict.portal.map { ": \($0)" }
        let ending = link.map { sentence.dropLast() + $0 } ?? sentence
        // status, watch and check
        let name = state.name.sentenceCased
        for line in [
            CheckDescription.headline(connectivity, isPassive: false),
            CheckDescription.headline(connectivity),
        ] {
            #expect(line.hasPrefix(name) && line.hasSuffix(" " + ending), "\(line)")
            #expect(PathDescription.line(line, connectivity, isPassive: false).contains(ending))
        }
        // doctor
        if condition.report != nil || path.status != .satisfied, ![.unverified, .captivePortal].contains(state) {
            let words = DiagnosticsDescription(.init(path: path, internet: condition.report))
            let lines = [words.headline] + words.lines.map(\.text)
            #expect(lines.contains { $0.contains(sentence) }, "\(lines)")
        }
        // wait and run, which need proof where a check is the obstacle
        let policy = WaitingPolicy(.verified)
        if let reason = policy.obstacle(in: connectivity) { #expect(reason.description == sentence) }
        // the JSON
        #expect(connectivity.reason == sentence)
        // the page
        let live = LiveState(connectivity: connectivity, hosts: [])
        #expect(VerdictSection.sentence(live).hasSuffix(". " + sentence))
        let page = "\(VerdictSection.html(live, now: .distantPast))"
        #expect(page.contains("<p class=\"reason\">\(HTML.text(sentence).description)</p>"), "\(page)")
        #expect(page.contains(">\(name)</h1>"))
        // the log
        #expect(Agent.logMetadata(Transition(connectivity, at: .wall))["reason"].map { "\($0)" } == sentence)
    }

    @Test(arguments: conditions)
    func `the history says the sentence that it stores, and in an older one that of the cause`(
        condition: Condition
    ) throws {
        let now = Date.wall
        var record = HistoryTransition(Transition(condition.connectivity, at: now - 60))
        for sentence in [condition.sentence, condition.recorded] {
            let timeline = Timeline(from: now - 60, to: now, transitions: [record])
            let span = try #require(timeline.spans.last)
            let name = condition.state.name
            #expect(HistoryWording.words(span) == name + (sentence.map { ": \($0)" } ?? ""))
            if let outage = timeline.outages.last { #expect(HistoryWording.cause(outage) == sentence) }
            record.record.reason = nil
        }
    }

    @Test func `a dot in the name of a link ends no sentence`() {
        let link = NetworkPath.Interface(name: "eth0.100", index: 2, type: .wiredEthernet)
        let path = NetworkPath(status: .satisfied, interfaces: [link], supportsIPv4: true, supportsDNS: true)
        let value = Connectivity(state: .online, path: path, since: .distantPast)
        let line = PathDescription.line(
            CheckDescription.headline(value, isPassive: false), value, isPassive: false)
        #expect(line == "Online over eth0.100 (wired Ethernet), IPv4, DNS")
    }

    @Test(arguments: ConnectivityState.allCases) func `a state has one name`(state: ConnectivityState) {
        #expect(HistoryWording.state(HistoryState(state)) == state.name)
    }

    @Test(arguments: [
        (conditions.last { $0.state == .online }, "online over eth0 (wired Ethernet)"),
        (conditions.first { $0.testDescription == "pulled cable" }, "offline: No carrier on eth0: is the cable in?"),
        (
            conditions.first { $0.testDescription == "silent DNS" },
            "limited over eth0 (wired Ethernet): DNS servers do not answer (192.0.2.53)."
        ),
    ])
    func `a printed value reads well`(condition: Condition?, text: String) throws {
        #expect(try "\(#require(condition).connectivity)" == text)
    }

    @Test func `a printed value contains no control characters of the network's name`() {
        var path = Self.wired
        path.interfaces = [.init(name: "wlan0", index: 3, type: .wifi, networkName: "a\u{1B}[2Jb")]
        let connectivity = Connectivity(state: .captivePortal, path: path, since: .sample)
        #expect(
            "\(connectivity)" == "login required over wlan0 (Wi-Fi “a\u{FFFD}[2Jb”): "
                + "The network requires a login: open its page in a browser.")
    }

    @Test func `without a path the page lists nothing that the path would carry`() {
        func page(_ path: NetworkPath) -> String {
            let connectivity = Connectivity(state: ConnectivityState(path), path: path, since: .sample)
            let live = LiveState(connectivity: connectivity, hosts: [])
            return "\(VerdictSection.html(live, now: .sample)) \(HopsSection.html(live))"
        }
        #expect(!page(Self.without(.noCarrier)).contains("no server"))
        var path = Self.wired
        path.supportsDNS = false
        #expect(page(path).contains("no server"))
    }
}
#endif
