// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoredFacts
import SystemSupport
import Testing

@testable import CommandSupport
@testable import Dialtone

/// Addresses and names in output that a user shows to others.
struct RedactionTests {
    private static func facts() throws -> Facts {
        let page = try #require(URL(string: "http://login.hotel.example/in?room=12&mac=aa"))
        let link = NetworkPath.Interface(name: "wlan0", index: 3, type: .wifi, networkName: #"Café "Müller""#)
        var proxied = InternetCheck.Evidence(
            url: "https://status.acme.example/ok", operatorName: "acme.example",
            .failed(ProbeError(.refused, during: .connect)), address: NetworkAddress(203, 0, 113, 7))
        proxied.proxy = "http://proxy.acme.example:3128"
        let portal = InternetCheck.Evidence(
            url: "http://cp.cloudflare.com/generate_204", operatorName: "Cloudflare",
            .portal(page), status: 302)
        let own = InternetCheck.Evidence(
            url: "http://detectportal.firefox.com/", .portal(try #require(URL(string: "http://192.168.7.1/login"))))
        let path = NetworkPath(
            status: .satisfied, interfaces: [link], gateways: [.init(NetworkAddress(10, 20, 30, 1), interface: "wlan0")]
        )
        let report = InternetCheck.Report(
            verdict: .captivePortal(page), checkedAt: .distantPast,
            endpoints: [proxied, portal, own])
        return Facts(path, report)
    }

    @Test(arguments: [
        ("the router (10.20.30.1) does not answer", "the router (192.0.2.1) does not answer"),
        ("10.20.30.1:53, fe80::1%wlan0, [fd00::9]:443.", "192.0.2.1:53, 2001:db8::1%wlan0, [2001:db8::2]:443."),
        ("10.20.30.2, 10.20.30.1, 10.20.30.2.", "192.0.2.1, 192.0.2.2, 192.0.2.1."),
        (
            "1.1.1.1, 2620:fe::fe, 127.0.0.53 and ::1 are everywhere",
            "1.1.1.1, 2620:fe::fe, 127.0.0.53 and ::1 are everywhere"
        ),
        (
            "at 12:30:00.123, version 1.0.0, 2026-11-20T12:00:00.000Z",
            "at 12:30:00.123, version 1.0.0, 2026-11-20T12:00:00.000Z"
        ),
        ("http://login.hotel.example/in?room=12&mac=aa", "http://name4.example/"),
        (
            "The proxy http://proxy.acme.example:3128 refuses connections",
            "The proxy http://name3.example/ refuses connections"
        ),
        ("login.hotel.example or status.acme.example", "name4.example or name1.example"),
        ("Open http://192.168.7.1/login, of 192.168.7.1.", "Open http://192.0.2.1/, of 192.0.2.1."),
        ("cp.cloudflare.com answers", "cp.cloudflare.com answers"),
    ]) func `addresses and names are numbered, and nothing else changes`(text: String, redacted: String) throws {
        var redaction = try Redaction(Self.facts())
        #expect(redaction(text) == redacted)
    }

    @Test func `a name of a Wi-Fi network is found in JSON, too`() throws {
        let facts = try Self.facts()
        var redaction = Redaction(facts)
        let text = OneLineJSON.string(["networkName": facts.path.interfaces[0].networkName])
        #expect(redaction(text) == #"{"networkName":"name6.example"}"#)
    }

    @Test func `redacted facts give the same conclusion`() throws {
        let facts = try Self.facts()
        var redaction = Redaction(facts)
        let text = redaction(OneLineJSON.string(facts))
        for secret in ["acme", "hotel", "10.20.30.1", "203.0.113.7", "room"] { #expect(!text.contains(secret)) }
        let read = try JSONDecoder().decode(Facts.self, from: Data(text.utf8))
        let (own, other) = (Conclusion(facts), Conclusion(read))
        #expect((own.state, own.fault, own.cause) == (other.state, other.fault, other.cause))
    }
}
