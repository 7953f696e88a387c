// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import Dialtone

extension Reader {
    /// The captive portal API's JSON (RFC 8908).
    static let portal = Reader("portal") { bytes in
        guard let state = try? CaptivePortalState(json: bytes) else { return }
        for url in [state.userPortal, state.venueInfo] {
            precondition(url.map { $0.scheme?.lowercased() == "https" } ?? true, "a page that is not secure")
        }
        if let time = state.remainingTime { precondition(time >= .zero, "less than no time") }
    }

    /// A response over plain HTTP, and the evidence that a check derives from it.
    static let http = Reader("http") { bytes in
        let whole = response(bytes, pieces: bytes.count)
        precondition(response(bytes, pieces: 1) == whole, "cut apart, it reads differently")
        guard let whole, let target = try? ProbeTarget("http://probe.test/204") else { return }
        precondition(whole.body.count <= HTTPLimits().bodyBytes, "a body beyond the limit")
        for expectation in [InternetCheck.Expectation.noContent, .body("success"), .contains("ok"), .nonceEcho] {
            let classifier = ResponseClassifier(
                target: target, expectation: expectation, isPublic: true, nonce: "nonce")
            let evidence = classifier.evidence(url: "http://probe.test/204", ProbeResult(response: whole))
            if let portal = evidence.portal {
                precondition(["http", "https"].contains(portal.scheme?.lowercased()), "a portal no browser opens")
            }
        }
    }

    private static func response(_ bytes: [UInt8], pieces: Int) -> HTTPResponse? {
        var parser = HTTPResponseParser()
        do {
            for start in stride(from: 0, to: bytes.count, by: max(pieces, 1)) {
                try parser.append(bytes[start..<min(start + max(pieces, 1), bytes.count)])
            }
            try parser.end()
            return parser.response
        } catch {
            return nil
        }
    }

    /// A name server's reply, and a file of a DHCP client.
    static func readOfNames(_ bytes: [UInt8], _ text: String) {
        _ = NameQuery("example.org", identifier: 0x4142)?.responseCode(in: bytes[...])
        if let value = Networkd.captivePortal(in: text) { _ = CaptivePortalDiscovery(announced: value) }
        _ = try? HostTarget(text)
    }
}
