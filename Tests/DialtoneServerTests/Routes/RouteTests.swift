// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@testable import DialtoneHistory
@testable import DialtoneServer

@Suite(.real)
struct RouteTests {
    @Test func `every path responds, each with the security fields`() async throws {
        let served = try await ServedNetwork()
        for (target, type) in [
            ("/", "text/html; charset=utf-8"), ("/healthz", "text/plain; charset=utf-8"),
            ("/parts", "application/json"),
            ("/style.css", "text/css; charset=utf-8"), ("/dashboard.js", "text/javascript; charset=utf-8"),
            ("/api/status", "application/json"), ("/api/history", "application/json"),
            ("/api/hosts", "application/json"), ("/report", "text/html; charset=utf-8"),
            ("/report?language=de", "text/html; charset=utf-8"),
            ("/?window=week", "text/html; charset=utf-8"),
            ("/?window=quarter&from=1790000000&to=1790010000", "text/html; charset=utf-8"),
            ("/api/history.csv", "text/csv; charset=utf-8; header=present"),
        ] {
            let reply = try await served.get(target)
            #expect(reply.status == 200, "\(target)")
            #expect(reply.fields["content-type"] == type, "\(target)")
            #expect(reply.fields["content-security-policy"]?.hasPrefix("default-src 'none';") == true, "\(target)")
            #expect(reply.fields["content-security-policy"]?.contains("unsafe") == false, "\(target)")
            #expect(reply.fields["x-content-type-options"] == "nosniff", "\(target)")
            #expect(reply.fields["referrer-policy"] == "same-origin", "\(target)")
            #expect(reply.fields["content-length"] == "\(reply.body.utf8.count)", "\(target)")
        }
    }

    @Test func `until six hours are recorded, the page shows an hour; the history comes before the hosts`() async throws
    {
        let served = try await ServedNetwork()
        let page = try await served.get("/").body
        #expect(page.contains(">The last hour: ") && page.contains("aria-current=\"true\">Hour</a>"))
        #expect(page.contains("url=/?window=auto\""))
        #expect(try await served.get("/?window=day").body.contains(">The last day: "))
        let (history, hosts) = (page.firstRange(of: "id=\"past-title\""), page.firstRange(of: "id=\"hosts-title\""))
        #expect(try #require(history).lowerBound < #require(hosts).lowerBound)
    }

    @Test func `/online is 200 while the Internet is verified, and needs no token`() async throws {
        let served = try await ServedNetwork { $0.token = "correct-horse-battery" }
        try await eventually { try await served.get("/online").status == 200 }
        #expect(try await served.get("/online").body == "online\n")
        served.network.become(.offline)
        try await eventually { try await served.get("/online").status == 503 }
        let reply = try await served.get("/online")
        #expect(reply.body == "not online\n" && reply.fields["cache-control"] == "no-store")
        let head = try await RawClient.ask(served.port, "HEAD", "/online")
        #expect(head.status == 503 && head.body.isEmpty)
        #expect(try await served.get("/api/status").status == 401)
        #expect(try await served.get("/online", ["Host": "evil.test"]).status == 421)
    }

    @Test func `a form that is sent too often is refused with the reason`() async throws {
        let served = try await ServedNetwork()
        var reply = try await served.submit("/check", "")
        for _ in 0..<100 where reply.status == 303 { reply = try await served.submit("/check", "") }
        #expect(reply.status == 429 && reply.body.contains("Too many requests. Try again shortly."))
    }

    @Test func `unknown paths are not found, and other methods are not allowed`() async throws {
        let served = try await ServedNetwork()
        for target in [
            "/nothing", "/api", "/api/status/", "/request", "//", "/..%2f..%2fetc/passwd", "/../etc/passwd",
            "/index.html",
        ] {
            let reply = try await served.get(target)
            #expect(reply.status == 404, "\(target)")
            #expect(reply.fields["x-content-type-options"] == "nosniff")
        }
        for target in ["/check", "/logout"] {
            let reply = try await served.get(target)
            #expect(reply.status == 405, "\(target)")
            #expect(reply.fields["allow"] == "POST", "\(target)")
        }
        for target in ["/", "/api/status", "/events"] {
            #expect(try await served.submit(target, "").status == 405, "\(target)")
        }
        #expect(try await RawClient.ask(served.port, "DELETE", "/").status == 405)
        let head = try await RawClient.ask(served.port, "HEAD", "/")
        #expect(head.status == 200 && head.body.isEmpty)
        let page = try await served.get("/nothing", ["Accept": "text/html"])
        #expect(page.body.contains("Not Found") && page.fields["content-type"]?.hasPrefix("text/html") == true)
    }

    @Test func `requests with another host name or from another site's page are refused`() async throws {
        let served = try await ServedNetwork()
        for host in ["evil.test", "evil.test:\(served.port)", "127.0.0.1.evil.test", "", "localhost:1"] {
            let reply = try await served.get("/api/status", ["Host": host])
            #expect(reply.status == 421, "\(host)")
            #expect(!reply.body.contains("connectivity"))
            // A page that resolved its own name to this address can read the refusal.
            let page = try await served.get("/", ["Host": host, "Accept": "text/html"])
            #expect(page.status == 421 && page.body.contains("<html") && !page.body.contains("tester"))
        }
        #expect(try await served.submit("/check", "", ["Origin": "http://evil.test"]).status == 403)
        #expect(try await RawClient.ask(served.port, "POST", "/check").status == 403)
    }

    @Test func `the status has the documented format of the command`() async throws {
        let served = try await ServedNetwork()
        _ = try await served.listen().read(until: "online")
        let status = try #require(try await served.get("/api/status").object)
        #expect(status["connectivity"] as? String == "online")
        #expect((status["path"] as? [String: Any])?["status"] as? String == "satisfied")
        #expect((status["internet"] as? [String: Any])?["verdict"] as? String == "verified")
        let command = try OneLineJSON.text(StatusReport(served.monitor.current, at: .wall))
        let expected = try #require(JSONSerialization.jsonObject(with: Data(command.utf8)) as? [String: Any])
        #expect(Set(status.keys) == Set(expected.keys).union(["history", "hops", "coverage"]))
        let history = try #require(status["history"] as? [String: Any])
        #expect(history["healthy"] as? Bool == true && history["problem"] is NSNull)
    }

    @Test func `the status has the last minute of the heartbeat, with its beginning`() async throws {
        let served = try await ServedNetwork()
        let minute = HopMinute(
            start: Date(timeIntervalSince1970: 1_800_000_000), hops: [.beyond: HopStatistics([.milliseconds(20), nil])])
        let status = ServedStatus(
            report: StatusReport(served.monitor.current, at: .wall), history: HistoryStatus(),
            hops: minute, coverage: HeartbeatCoverage(shortest: 33, limit: .connections))
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(status)) as? [String: Any]
        let coverage = try #require(json?["coverage"] as? [String: Any])
        #expect(coverage["shortestOutage"] as? Double == 33 && coverage["limit"] as? String == "connections")
        #expect((coverage["reason"] as? String)?.hasPrefix("Only connections") == true)
        let hops = try #require(json?["hops"] as? [String: Any])
        #expect(Set(hops.keys) == Set(HeartbeatHop.allCases.map(\.rawValue)).union(["from"]))
        #expect(hops["from"] as? String == "2027-01-15T08:00:00.000Z")
        let beyond = try #require(hops["beyond"] as? [String: Any])
        #expect(beyond["sent"] as? Int == 2 && beyond["lost"] as? Int == 1 && beyond["median"] as? Double == 0.02)
    }

    @Test func `the history is returned as JSON, and invalid queries get an explanation`() async throws {
        let served = try await ServedNetwork()
        _ = try await served.listen().read(until: "\"connectivity\":\"online\"")
        served.network.become(.offline)
        _ = try await served.listen().read(until: "\"connectivity\":\"offline\"")
        // A new stream begins with the current state, which is recorded a little later.
        try await eventually {
            let spans = try await served.get("/api/history?spans=50").object?["spans"] as? [[String: Any]] ?? []
            let states = spans.map { $0["state"] as? String }
            return states.contains("online") && states.last == "offline"
        }
        for (query, word) in [
            ("from=tomorrow", "from"), ("to=x", "to"), ("from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z", "later"),
            ("spans=0", "spans"), ("spans=1000000", "spans"),
        ] {
            let reply = try await served.get("/api/history?\(query)")
            #expect(reply.status == 400, "\(query)")
            #expect((reply.object?["error"] as? String)?.contains(word) == true, "\(query): \(reply.body)")
        }
    }

    @Test func `a browser with a cached asset gets 304`() async throws {
        let served = try await ServedNetwork()
        let first = try await served.get("/style.css")
        let tag = try #require(first.fields["etag"])
        let second = try await served.get("/style.css", ["If-None-Match": tag])
        #expect(second.status == 304 && second.body.isEmpty)
    }

    @Test func `the page without JavaScript shows the verdict and its reason`() async throws {
        let served = try await ServedNetwork()
        served.network.become(.offline(.radioOff))
        _ = try await served.listen().read(until: "radioOff")
        let page = try await served.get("/").body
        #expect(page.contains(">Offline</h1>"))
        #expect(page.contains("Wi-Fi is switched off (rfkill)"))
        #expect(page.contains("<form method=\"post\" action=\"/check\""))
        #expect(!page.contains(" style=\"") && !page.contains("onclick"))
        // It reloads itself.
        #expect(page.contains("<noscript><meta http-equiv=\"refresh\" content=\"15;url=/"))
    }

    @Test func `an unchanged asset is not sent again`() async throws {
        let served = try await ServedNetwork()
        for target in ["/style.css", "/dashboard.js"] {
            let tag = try #require(try await served.get(target).fields["etag"])
            let reply = try await served.get(target, ["If-None-Match": tag])
            #expect(reply.status == 304 && reply.body.isEmpty, "\(target)")
        }
    }

    @Test func `the history is returned as CSV, as the command prints it`() async throws {
        let served = try await ServedNetwork()
        let start = Date(timeIntervalSince1970: Date.wall.timeIntervalSince1970.rounded(.down) - 1000)
        // A time before the newest record is kept only if both have one number, here that of the monitor's own transition.
        served.history.record(HistoryTransition(time: .wall, state: .online, number: 1))
        for (seconds, state, name) in [
            (0.0, HistoryState.online, "=cmd|' /C calc'!A0"), (100, .offline, "+a,\"b"), (160, .online, "@x"),
        ] {
            served.history.record(
                HistoryTransition(
                    time: start + seconds, state: state, interfaceName: name, interfaceType: "-1", number: 1))
        }
        let (from, to) = (Int(start.timeIntervalSince1970), Int(start.timeIntervalSince1970) + 200)
        for kind in ["spans", "outages"] {
            let reply = try await served.get("/api/history.csv?kind=\(kind)&from=\(from)&to=\(to)")
            #expect(reply.status == 200)
            #expect(reply.fields["content-disposition"]?.hasPrefix("attachment; filename=\"dialtone-") == true)
            let timeline = try await served.history.timeline(from: start, to: start + 200)
            let lines =
                kind == "spans" ? HistoryCSV.lines(spans: timeline.spans) : HistoryCSV.lines(outages: timeline.outages)
            #expect(reply.body == lines.joined(separator: "\n") + "\n")
            #expect(lines.count == (kind == "spans" ? 4 : 2))
        }
        var check = CheckRecord(time: start + 20, verdict: .verified, latency: 0.02, passed: 2, asked: 3)
        check.connect = 0.01
        served.history.record(check)
        let minute = HopMinute(
            start: start, hops: [.beyond: HopStatistics([.milliseconds(20), nil])])
        served.history.record(minute)
        await served.history.flush()
        let checks = try await served.get("/api/history.csv?kind=checks&from=\(from)&to=\(to)")
        #expect(checks.body == HistoryCSV.lines(checks: [check]).map { $0 + "\n" }.joined())
        let hops = try await served.get("/api/history.csv?kind=hops&from=\(from)&to=\(to)")
        #expect(hops.body.hasSuffix(",60.0,beyond,2,1,0.02,0.02,0.02,0\n"))
        #expect(hops.fields["content-disposition"]?.contains("dialtone-hops.csv") == true)
        let spans = try await served.get("/api/history.csv?from=\(from)&to=\(to)").body
        // A spreadsheet must not read names from the network as formulas.
        for field in ["'=cmd|' /C calc'!A0,'-1", "\"'+a,\"\"b\",'-1", "'@x,'-1"] {
            #expect(spans.contains(field), "\(spans)")
        }
        for (query, word) in [("kind=all", "kind"), ("from=tomorrow", "from"), ("from=2&to=1", "later")] {
            let reply = try await served.get("/api/history.csv?\(query)")
            #expect(reply.status == 400 && (reply.object?["error"] as? String)?.contains(word) == true, "\(query)")
        }
    }

    @Test func `a history with too many lines for a file is refused with what to do`() async throws {
        let served = try await ServedNetwork()
        let start = Date.wall - 40_000
        for number in 0..<10_002 {
            served.history.record(
                HistoryTransition(
                    time: start + Double(number) * 2, state: number.isMultiple(of: 2) ? .online : .offline))
        }
        let reply = try await served.get("/api/history.csv?from=\(Int(start.timeIntervalSince1970))")
        #expect(reply.status == 413)
        #expect((reply.object?["error"] as? String)?.contains("dialtone history --csv") == true)
        #expect(try await served.get("/api/history.csv?kind=outages").status == 200)
    }

    @Test func `the page shows a part of the history, and links to the parts around it`() async throws {
        let served = try await ServedNetwork()
        let now = Int(Date.wall.timeIntervalSince1970)
        let page = try await served.get("/?window=day&from=\(now - 7200)&to=\(now - 3600)").body
        #expect(page.contains(">The selected time: "))
        #expect(page.contains("<a href=\"?window=day\">Last day</a>"))
        #expect(page.contains("<a href=\"?window=day&amp;from=\(now - 9000)&amp;to=\(now - 5400)\">Earlier</a>"))
        #expect(page.contains("<a href=\"?window=day&amp;from=\(now - 5400)&amp;to=\(now - 1800)\">Later</a>"))
        #expect(page.contains("url=/?window=day&amp;from=\(now - 7200)&amp;to=\(now - 3600)\""))
        for target in ["/?from=x", "/?from=2&to=1", "/parts?to=nan"] {
            #expect(try await served.get(target).status == 400, "\(target)")
        }
        let whole = try await served.get("/?window=month").body
        #expect(whole.contains("\"The last 30 days: ") && whole.contains("aria-current=\"true\">30 days</a>"))
        #expect(whole.contains("<a role=\"link\" aria-disabled=\"true\">Later</a>"))
    }
}
