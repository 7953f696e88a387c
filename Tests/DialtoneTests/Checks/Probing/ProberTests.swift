// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import Dialtone
import SystemSupport

/// The socket prober: addresses that do not answer, proxies, cancellation, limits.
@Suite(.real, .timeLimit(.minutes(5)))
struct ProberTests {
    private static func request(
        _ url: String, timeouts: InternetCheck.Configuration.Timeouts = .init(),
        _ change: (inout InternetCheck.Configuration) -> Void = { _ in }
    ) throws -> ProbeRequest {
        var configuration = InternetCheck.Configuration(timeouts: timeouts)
        change(&configuration)
        let target = try ProbeTarget(url)
        return ProbeRequest(
            target: target, path: target.target, fields: [], configuration: configuration,
            deadline: TimeSource.system.now + timeouts.total)
    }

    /// For tests that do not measure time, on a machine that may be busy.
    private static let patient = InternetCheck.Configuration.Timeouts(
        resolve: .seconds(240), connect: .seconds(240), tls: .seconds(240), headers: .seconds(240),
        body: .seconds(240), total: .seconds(240))

    private static let loopback = NetworkAddress(bytes: [127, 0, 0, 1])

    /// A port of loopback whose queue is full, so that connections to it hang.
    private struct FullPort {
        let listener: Descriptor
        let fillers: [Descriptor]
        let port: UInt16

        init() throws {
            let host = try #require(loopback)
            listener = try Sockets.openSocket(.ipv4, .stream)
            try Sockets.bindSocket(listener, to: host, port: 0)
            try Sockets.startListening(listener, backlog: 0)
            let port = try Sockets.port(listener)
            self.port = port
            fillers = try (0..<4).map { _ in
                let socket = try Sockets.openSocket(.ipv4, .stream)
                try Sockets.startConnecting(socket, to: host, port: port)
                return socket
            }
        }
    }

    @Test func `a host that does not answer fails within the time limit`() async throws {
        let full = try FullPort()
        let request = try Self.request("http://127.0.0.1:\(full.port)/", timeouts: .init(connect: .milliseconds(200)))
        let result = await SocketHTTPProbe().probe(request)
        #expect(result.error == ProbeError(.timedOut, during: .connect))
        #expect(result.address == Self.loopback)
        #expect(result.durations.connect != nil)
        #expect(result.durations.total >= .milliseconds(200))
    }

    /// A prober whose result arrives after the end of the check.
    private struct LateProber: Prober {
        func probe(_ request: ProbeRequest) async -> ProbeResult {
            let result = await SocketHTTPProbe().probe(request)
            try? await waitForCancellation()
            return result
        }
    }

    @Test func `a check that ends before its probes reports how far they came`() async throws {
        let full = try FullPort()
        let internet = try ScriptedInternet(.silent)
        let urls = ["http://127.0.0.1:\(full.port)/", "\(internet.http)/", "\(internet.https)/"]
        var configuration = InternetCheck.Configuration(endpoints: urls.map { .init($0) }, captivePortalAPI: .off)
        configuration.timeouts.total = .seconds(5)
        let report = try await InternetCheck(configuration, prober: LateProber()).run()
        #expect(report.endpoints.map(\.error?.code) == [.timedOut, .timedOut, .timedOut])
        #expect(report.endpoints.map(\.error?.step) == [.connect, .headers, .tls])
        #expect(report.endpoints.map(\.address) == [Self.loopback, Self.loopback, Self.loopback])
    }

    @Test func `the progress of a probe has its proxy`() async throws {
        let full = try FullPort()
        let request = try Self.request("http://one.test/", timeouts: .init(connect: .milliseconds(200))) {
            $0.proxies = .environment
        }
        let environment = ["http_proxy": "http://user:secret@127.0.0.1:\(full.port)"]
        let prober = SocketHTTPProbe(resolver: ScriptedResolver(), over: KernelSocketRunner()) { environment }
        var result = await prober.probe(request)
        let unfinished = request.progress.result(cutOffBy: .timedOut, after: result.durations.total)
        #expect(unfinished.error?.step == .connect && unfinished.proxy == "http://127.0.0.1:\(full.port)")
        (result.error, result.durations.connect) = (unfinished.error, nil)
        (result.failedAttempts, result.packets) = ([], nil)
        #expect(unfinished == result)
    }

    @Test func `an address that does not answer does not delay the next`() async throws {
        let internet = try ScriptedInternet(address: "127.0.0.1")
        let port = try #require(UInt16(internet.http.split(separator: ":").last ?? ""))
        // The same port on another address of loopback hangs.
        let host = NetworkAddress("127.0.0.2")
        let listener = try Sockets.openSocket(.ipv4, .stream)
        try Sockets.allowReuse(listener)
        try Sockets.bindSocket(listener, to: host, port: port)
        try Sockets.startListening(listener, backlog: 0)
        let fillers = try (0..<4).map { _ in
            let socket = try Sockets.openSocket(.ipv4, .stream)
            try Sockets.startConnecting(socket, to: host, port: port)
            return socket
        }
        let names = ScriptedResolver(["two.test": .addresses("127.0.0.2", "127.0.0.1")])
        let result = await SocketHTTPProbe(resolver: names).probe(try Self.request("http://two.test:\(port)/"))
        #expect(result.response?.status == 204)
        #expect(result.address == Self.loopback)
        #expect(result.durations.delay.map { $0 >= .milliseconds(240) } == true)
        withExtendedLifetime(fillers) {}
    }

    @Test func `a missing IP version does not delay the other`() async throws {
        let internet = try ScriptedInternet()
        let port = internet.http.split(separator: ":").last ?? ""
        let names = ScriptedResolver(["two.test": .addresses("2001:db8::1", "2001:db8::2", "127.0.0.1")])
        let result = await SocketHTTPProbe(resolver: names).probe(try Self.request("http://two.test:\(port)/"))
        #expect(result.response?.status == 204)
    }

    @Test func `cancelling ends a probe at once, in any step`() async throws {
        let full = try FullPort()
        let internet = try ScriptedInternet(.silent)
        let urls = [
            "http://127.0.0.1:\(full.port)/", "\(internet.http)/", "\(internet.https)/", "http://unknown.example.org/",
        ]
        let names = ScriptedResolver(otherwise: .silence)
        for url in urls {
            let request = try Self.request(url)
            let probe = Task { await SocketHTTPProbe(resolver: names).probe(request) }
            if url.hasPrefix(internet.http) || url.hasPrefix(internet.https) {
                await internet.waitForConnections(url.hasPrefix("https") ? 2 : 1)
            }
            probe.cancel()
            #expect(await probe.value.error?.code == .cancelled)
        }
    }

    @Test func `a check that is cancelled ends at once without a verdict`() async throws {
        let internet = try ScriptedInternet(.silent)
        let check = try InternetCheck(internet.configuration)
        let run = Task { await check.run() }
        await internet.waitForConnections(4)
        run.cancel()
        let report = await run.value
        #expect(report.verdict == .inconclusive)
    }

    @Test func `a check that is cancelled before HTTPS has passed verifies nothing`() async throws {
        struct Halfway: Prober {
            let asked = Recorder<String>()

            func probe(_ request: ProbeRequest) async -> ProbeResult {
                guard request.url.hasPrefix("https") else { return ProbeResult(response: HTTPResponse(status: 204)) }
                asked.record(request.url)
                try? await waitForCancellation()
                return ProbeResult(error: ProbeError(.cancelled, during: .tls))
            }
        }
        let prober = Halfway()
        let configuration = InternetCheck.Configuration(
            endpoints: ["http://a.test/", "https://a.test/"], captivePortalAPI: .off)
        let check = try InternetCheck(configuration, prober: prober)
        var pause = Duration.milliseconds(10)
        // Waits longer each time, until the check has received the answer over HTTP, which alone must not decide.
        try await eventually {
            let run = Task { await check.run() }
            _ = try await prober.asked.next()
            try await TimeSource.system.sleep(for: pause)
            pause *= 2
            run.cancel()
            let report = await run.value
            #expect(report.verdict == .inconclusive)
            #expect(report.endpoints[1].error?.code == .cancelled)
            return report.endpoints[0].passed
        }
    }

    @Test func `a handshake that fails sends an alert to the peer`() throws {
        let internet = try ScriptedInternet()
        let (here, there) = try Sockets.connectedPair()
        // An empty server hello.
        _ = try Sockets.sendBytes(there, [0x16, 3, 3, 0, 4, 2, 0, 0, 0])
        let session = try TLSSession(clientOf: "a.test", additionalTrustAnchors: [internet.trustAnchor])
        let stream = ByteStream(here)
        #expect(throws: ByteStream.Failure.self) {
            try stream.start(session, until: TimeSource.system.now + .seconds(60))
        }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = try #require(try Sockets.receiveBytes(there, into: &bytes))
        // An alert (RFC 8446, section 6) is a record of type 21 with two bytes.
        #expect(bytes[..<count].suffix(7).first == 21)
    }

    @Test func `an exchange over TLS ends with an alert`() async throws {
        let authority = try TestAuthority(named: "Exchange")
        let identity = try authority.issue(names: ["a.test"])
        let (near, far) = try Sockets.connectedPair()
        let request = try Self.request("https://a.test/", timeouts: Self.patient) {
            $0.additionalTrustAnchors = [authority.identity.certificate]
        }
        async let rest = ThreadStarter.system.run("test.server") {
            Result {
                let stream = ByteStream(far)
                try stream.start(identity.serverSession(), until: request.deadline)
                _ = try stream.receive(until: request.deadline)
                try stream.send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8), until: request.deadline)
                // The client has nothing else to send.
                _ = PollSet.wait(readable: [far.number], until: request.deadline, nil)
                var bytes = [UInt8](repeating: 0, count: 100)
                return try Sockets.receiveBytes(far, into: &bytes)
            }
        }
        var exchange = HTTPExchange(
            request: request, proxy: nil, socket: near, sockets: KernelSockets(), result: ProbeResult())
        #expect(exchange.run().response?.status == 204)
        #expect(try await rest.get().map { $0 > 0 } == true)
    }

    @Test func `a prober that ignores cancellation does not delay the check`() async throws {
        struct Deaf: Prober {
            let held = Recorder<CheckedContinuation<Void, Never>>()

            func probe(_ request: ProbeRequest) async -> ProbeResult {
                await withCheckedContinuation { held.record($0) }
                return ProbeResult(response: HTTPResponse(status: 204))
            }
        }
        let prober = Deaf()
        let configuration = InternetCheck.Configuration(
            endpoints: ["http://a.test/"], timeouts: .init(total: .milliseconds(100)), captivePortalAPI: .off)
        let report = try await InternetCheck(configuration, prober: prober).run()
        #expect(report.verdict == .inconclusive)
        #expect(report.answers == .noInternet(.timedOut))
        for continuation in prober.held.values { continuation.resume() }
    }

    @Test func `a body is read up to the limit and no further`() async throws {
        let internet = try ScriptedInternet(.always(.endlessBody))
        let result = await SocketHTTPProbe().probe(try Self.request("\(internet.http)/") { $0.bodyLimit = 1000 })
        #expect(result.response?.body.count == 1000)
        #expect(result.response?.isComplete == false)
        #expect(result.error == nil)
    }

    @Test func `a thousand probes leak no socket`() async throws {
        let internet = try ScriptedInternet()
        let request = try Self.request("\(internet.http)/", timeouts: Self.patient)
        for _ in 0..<50 {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 { group.addTask { await SocketHTTPProbe().probe(request).response?.status == 204 } }
                for await isFine in group { #expect(isFine) }
            }
        }
        #expect(internet.connections == 1000)
        // The result is delivered before the socket is closed, on another thread.
        let port = try #require(URL(string: internet.http)?.port)
        try await eventually { try Self.socketsConnected(to: port) == 0 }
    }

    /// The number of open sockets whose peer has this port (proc_pid_net(5)).
    private static func socketsConnected(to port: Int) throws -> Int {
        let lines = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n").dropFirst()
        return lines.count { line in
            let fields = line.split(separator: " ")
            guard fields.count > 9, let remote = fields[2].split(separator: ":").last else { return false }
            // The kernel may still list a closed socket, without an inode.
            return Int(remote, radix: 16) == port && fields[9] != "0"
        }
    }

    @Test(arguments: ["http", "https"]) func `the environment's proxy is used`(scheme: String) async throws {
        let internet = try ScriptedInternet(names: ["far.test"])
        let proxy = try TunnelProxy(to: internet)
        let environment = [
            "http_proxy": "http://user:pa%20ss@127.0.0.1:\(proxy.port)", "https_proxy": "127.0.0.1:\(proxy.port)",
        ]
        let prober = SocketHTTPProbe(
            resolver: ScriptedResolver(otherwise: .notFound), over: KernelSocketRunner(), environment: { environment })
        let request = try Self.request("\(scheme)://far.test/generate_204") {
            $0.proxies = .environment
            $0.additionalTrustAnchors = [internet.trustAnchor]
        }
        let result = await prober.probe(request)
        #expect(result.response?.status == 204, "\(result)")
        #expect(result.isProxied)
        let head = try await proxy.heads.next()
        #expect(head.hasPrefix(scheme == "http" ? "GET http://far.test/generate_204 " : "CONNECT far.test:443 "))
        #expect(head.contains("Proxy-Authorization: Basic dXNlcjpwYSBzcw==") == (scheme == "http"))
    }

    @Test(arguments: [
        ("http://a.test/", [:], nil), ("http://a.test/", ["http_proxy": "p.test:3128"], "p.test:3128"),
        ("http://a.test/", ["HTTP_PROXY": "p.test:3128"], nil),
        ("https://a.test/", ["http_proxy": "p.test:3128"], nil),
        ("https://a.test/", ["HTTPS_PROXY": "http://p.test"], "p.test:1080"),
        ("https://a.test/", ["all_proxy": "http://p.test:1"], "p.test:1"),
        ("http://a.test/", ["http_proxy": "p.test:1", "no_proxy": "a.test"], nil),
        ("http://b.a.test/", ["http_proxy": "p.test:1", "no_proxy": "x, .a.test"], nil),
        ("http://ba.test/", ["http_proxy": "p.test:1", "no_proxy": "a.test"], "p.test:1"),
        ("http://a.test/", ["http_proxy": "p.test:1", "no_proxy": "*"], nil),
        ("http://a.test/", ["HTTP_PROXY": "p.test:1"], nil),
        ("https://a.test/", ["HTTPS_PROXY": "p.test:1", "NO_PROXY": "b.test"], "p.test:1"),
        ("https://a.test/", ["https_proxy": "p.test:1", "no_proxy": "", "NO_PROXY": "A.TEST"], nil),
        ("http://a.test./", ["http_proxy": "p.test:1", "no_proxy": "a.test"], nil),
        ("http://10.1.2.3/", ["http_proxy": "p.test:1", "no_proxy": "10.0.0.0/8"], nil),
        ("http://11.1.2.3/", ["http_proxy": "p.test:1", "no_proxy": "10.0.0.0/8 11.1.2.4"], "p.test:1"),
        ("http://11.1.2.3/", ["http_proxy": "p.test:1", "no_proxy": "1.2.3"], "p.test:1"),
        ("http://[2001:db8::7]/", ["http_proxy": "p.test:1", "no_proxy": "[2001:db8::7]"], nil),
        ("http://[2001:db8::7]/", ["http_proxy": "p.test:1", "no_proxy": "2001:db8::/33"], nil),
        ("http://[2001:DB8:0::5]:8080/", ["http_proxy": "p.test:1", "no_proxy": "[2001:db8::5]:8080"], nil),
        ("http://[2001:DB8:0::5]:8081/", ["http_proxy": "p.test:1", "no_proxy": "[2001:db8::5]:8080"], "p.test:1"),
        ("http://[2001:DB8:0::6]:8080/", ["http_proxy": "p.test:1", "no_proxy": "[2001:db8::5]:8080"], "p.test:1"),
        ("http://[2001:DB8:0::5]:8080/", ["http_proxy": "p.test:1", "no_proxy": "[2001:db8:0:0::5]"], nil),
        ("http://[2001:db8::7]/", ["http_proxy": "p.test:1", "no_proxy": "[2001:db8::7]:80"], nil),
        ("http://[2001:db8::7]/", ["http_proxy": "p.test:1", "no_proxy": "2001:db8::7:80"], "p.test:1"),
        ("http://192.0.2.7:8080/", ["http_proxy": "p.test:1", "no_proxy": "192.0.2.7:8080"], nil),
        ("http://192.0.2.7/", ["http_proxy": "p.test:1", "no_proxy": "192.0.2.7:8080"], "p.test:1"),
        ("http://a.test:8080/", ["http_proxy": "p.test:1", "no_proxy": "A.test:8080"], nil),
        ("http://a.test:8081/", ["http_proxy": "p.test:1", "no_proxy": "a.test:8080"], "p.test:1"),
        ("http://b.a.test:8080/", ["http_proxy": "p.test:1", "no_proxy": ".a.test:8080"], nil),
        ("http://a.test/", ["http_proxy": "http://p.test"], "p.test:1080"),
        ("http://a.test/", ["http_proxy": ""], nil),
    ])
    func `proxies are read as by curl`(url: String, environment: [String: String], proxy: String?) throws {
        let found = try ProxySettings(environment: environment).proxy(for: ProbeTarget(url))
        #expect(found.map { "\($0.host):\($0.port)" } == proxy)
    }

    @Test func `a check names its proxies and its endpoints given by address, if routes decide whether it can succeed`()
        throws
    {
        let environment = ["http_proxy": "http://Proxy.test:3128", "https_proxy": "192.0.2.53", "no_proxy": "two.test"]
        func hosts(
            resolver: any NameResolver = SystemResolver.shared,
            _ change: (inout InternetCheck.Configuration) -> Void = { _ in }
        ) throws -> [HostTarget.Host] {
            var configuration = InternetCheck.Configuration(
                endpoints: ["http://one.test/", "https://one.test/", "https://two.test/", "http://three.test/"],
                proxies: .environment)
            change(&configuration)
            let prober = SocketHTTPProbe(resolver: resolver, over: KernelSocketRunner(), environment: { environment })
            return try InternetCheck(configuration, prober: prober).nearbyHosts
        }
        #expect(try hosts() == [.name("proxy.test"), .address(NetworkAddress(192, 0, 2, 53))])
        #expect(try hosts { $0.proxies = .bypass } == [])
        #expect(try hosts { $0.endpoints = ["http://two.test/"] } == [])
        #expect(
            try hosts {
                $0.proxies = .bypass
                $0.endpoints = ["http://two.test/", "http://192.0.2.9/", "https://LocalHost:8443/", "http://[::1]/"]
            } == [.address(NetworkAddress(192, 0, 2, 9)), .name("localhost"), .address(NetworkAddress.loopbacks[0])])
        #expect(try hosts { $0.binding = .interface("up0") } == [])
        #expect(try hosts(resolver: ScriptedResolver()) == [])
        #expect(InternetCheck().nearbyHosts == [])
    }

    @Test(arguments: ["socks5://p.test:1", "https://p.test:1", "http://"])
    func `other proxies are refused`(text: String) throws {
        let target = try ProbeTarget("http://a.test/")
        #expect(throws: ProbeError.self) {
            try ProxySettings(environment: ["http_proxy": text]).proxy(for: target)
        }
    }
}

#endif
