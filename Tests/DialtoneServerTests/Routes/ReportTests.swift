// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

@Suite(.real)
struct ReportTests {
    @Test func `the report of a month has its outages, and links to them as CSV`() async throws {
        let served = try await ServedNetwork()
        let month = try ReportMonth("2026-03", now: .wall)
        // A time before the newest record is kept only if both have one number, here that of the monitor's own transition.
        served.history.record(HistoryTransition(time: .wall, state: .online, number: 1))
        for (seconds, state, fault) in [
            (600.0, HistoryState.online, nil), (7200, .noInternet, ConnectivityFault.provider), (7950, .online, nil),
        ] {
            served.history.record(
                HistoryTransition(
                    time: month.start + seconds, earliest: month.start + seconds, state: state, interfaceName: "eth0",
                    fault: fault, number: 1))
        }
        let reply = try await served.get("/report?month=2026-03", ["Accept-Encoding": "identity"])
        #expect(reply.status == 200 && reply.fields["content-type"] == "text/html; charset=utf-8")
        #expect(reply.fields["cache-control"] == "no-store")
        #expect(reply.body.contains("<h1>Internet outages of tester</h1>"))
        #expect(reply.body.contains("<td class=\"number\">12 min 30 s</td>"))
        // The policy allows this style and nothing else.
        let policy = try #require(reply.fields["content-security-policy"])
        let nonce = try #require(reply.body.firstMatch(of: /<style nonce="([^"]+)">/)?.output.1)
        #expect(policy.hasPrefix("default-src 'none'; style-src 'nonce-\(nonce)'; "))
        let again = try await served.get("/report?month=2026-03")
        #expect(again.fields["content-security-policy"] != policy)
        for link in ["/report?month=2026-02", "/report?month=2026-04"] {
            #expect(reply.body.contains("<a href=\"\(link)&amp;language=en\">"))
        }
        let file = try #require(reply.body.firstMatch(of: /"(\/api\/history\.csv\?[^"]+)" download/)?.output.1)
        let lines = try await served.get(String(file).replacing("&amp;", with: "&")).body.split(separator: "\n")
        #expect(lines.count == 2 && lines.last?.contains(",noInternet,") == true)

        let german = try await served.get("/report?month=2026-03&language=de").body
        #expect(german.contains("<h1>Internetausfälle am Gerät tester</h1>"))
        #expect(
            german.contains("<a href=\"/report?month=2026-03&amp;language=en\" lang=\"en\" hreflang=\"en\">English</a>")
        )
        let unknown = try await served.get("/report?language=xx")
        #expect(unknown.status == 400 && (unknown.object?["error"] as? String) == "'language' must be en or de.")

        let now = try await served.get("/report")
        #expect(now.status == 200 && now.body.contains("<nav><a href=\"/report?month="))
        #expect(try await served.get("/").body.contains("<a href=\"/report\">Report of this month</a>"))
    }

    @Test(arguments: ["2026-13", "9999-01", "x", "%00"])
    func `an invalid month is explained, as JSON or as a page`(month: String) async throws {
        let served = try await ServedNetwork()
        let reply = try await served.get("/report?month=\(month)")
        #expect(reply.status == 400 && (reply.object?["error"] as? String)?.contains("'month' must") == true)
        let page = try await served.get("/report?month=\(month)", ["Accept": "text/html"])
        #expect(page.status == 400 && page.body.contains("&#39;month&#39; must"))
    }

    @Test func `the report is protected as the history is`() async throws {
        let served = try await ServedNetwork { $0.token = "correct-horse-battery" }
        let reply = try await served.get("/report")
        #expect(reply.status == 401 && !reply.body.contains("<h1>"))
        let page = try await served.get("/report", ["Accept": "text/html"])
        #expect(page.status == 303 && page.fields["location"] == "/login")
        #expect(try await served.get("/report", ["Authorization": "Bearer correct-horse-battery"]).status == 200)
        #expect(try await served.get("/report", ["Host": "evil.test"]).status == 421)
        #expect(
            try await served.get("/report", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"]).status == 403)
        #expect(try await served.submit("/report", "").status == 401)
    }
}
