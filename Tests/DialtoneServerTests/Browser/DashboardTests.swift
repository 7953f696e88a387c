// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .requires(.chromium), .serialized)
struct DashboardTests {
    private func open(_ lab: ServeLab, _ more: [String] = [], _ address: String = "/") async throws -> (
        Tab, ServeLab.Serving
    ) {
        let serving = try await lab.serve(more)
        let browser = try await Browser.start(in: lab.network.client)
        return (try await Tab(browser, "http://127.0.0.1:\(serving.port)\(address)"), serving)
    }

    @Test func `a disconnected cable and its return both show without a reload`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await open(lab, [], "/?window=hour")
        try await tab.waitForVerdict("Online")
        try await tab.wait("document.querySelector('#link').dataset.link === 'live'")
        try await tab.evaluate("window.isTheSame = true")

        try lab.network.setCable(connected: false)
        try await tab.waitForVerdict("Offline")
        try await tab.wait("document.querySelector('.reason').textContent === 'No carrier on up0: is the cable in?'")
        try await tab.wait("document.querySelector('#path .status').textContent === 'Not connected'")
        try await tab.wait("document.querySelector('#hosts .standing').textContent === 'not reachable'")
        try await tab.wait("document.querySelector('#announcer').textContent.startsWith('Offline. No carrier')")
        try await tab.takePictures("offline")

        try lab.network.setCable(connected: true)
        try await tab.waitForVerdict("Online")
        try await tab.wait("document.querySelector('#hosts .standing').textContent === 'reachable'")
        // The outage appears in the drawing, in the figures and in the table.
        try await tab.wait("document.querySelectorAll('.timeline .s-offline').length > 0")
        // Pointing at the outage shows its details, however thin it is.
        var said = ""
        // The drawing may be replaced at that very moment.
        for _ in 0..<50 where !said.hasPrefix("Offline: No carrier on up0: is the cable in?, ") {
            try await tab.point(at: ".timeline .s-offline")
            said = try await tab.evaluate("document.querySelector('.readout').textContent")
        }
        #expect(said.hasPrefix("Offline: No carrier on up0: is the cable in?, "), "\(said)")
        try await tab.wait(
            "[...document.querySelectorAll('.figures dd')].some(e => e.textContent.startsWith('1none') || e.firstChild.data === '1')"
        )
        try await tab.wait(
            "document.querySelector('.outages li').textContent.startsWith('Offline: No carrier on up0: is the cable in?')"
        )
        #expect(try await tab.evaluate("window.isTheSame") == "true")
        try await tab.takePictures("online")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")

        // The server stops and restarts on the same port: the page reports it, and continues.
        serving.command.terminate()
        try await tab.wait("document.querySelector('#link').dataset.link === 'lost'")
        let again = try await lab.serve(["--listen", "127.0.0.1:\(serving.port)"])
        try await tab.wait("document.querySelector('#link').dataset.link === 'live'")
        #expect(try await tab.evaluate("window.isTheSame") == "true")
        again.command.terminate()
        #expect(try await again.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test func `the button passes through unknown, checking, online, server trouble, offline and back`()
        async throws
    {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await open(lab)
        func state(_ name: String) -> String {
            "document.querySelector('[data-request]').dataset.request === '\(name)'"
        }
        try await tab.waitForVerdict("Online")
        #expect(try await tab.evaluate(state("unknown")) == "true")
        try await tab.evaluate(
            """
            (window.seen = [], new MutationObserver(() => {
              const now = document.querySelector('[data-request]')?.dataset.request;
              if (now && seen.at(-1) !== now) seen.push(now);
            }).observe(document.querySelector('#request'), { subtree: true, childList: true }))
            """)

        try await tab.press("Request data")
        try await tab.wait(state("online"))

        lab.internet.play(.init { $0.path == "/data" ? .answer(503) : ScriptedInternet.Behavior.success($0) })
        try await tab.press("Request data")
        try await tab.wait(state("serverTrouble"))
        #expect(try await tab.evaluate("document.querySelector('#request').innerText").contains("503"))
        try await tab.takePictures("server-trouble")

        lab.internet.play(
            .init { request in
                guard request.path == "/data" else { return ScriptedInternet.Behavior.success(request) }
                return .answer(200, body: "{}").after(.seconds(1))
            })
        try await tab.press("Request data")
        try await tab.wait(state("checking"))
        try await tab.wait(state("online"))

        try lab.network.setCable(connected: false)
        try await tab.waitForVerdict("Offline")
        try await tab.press("Request data")
        try await tab.wait(state("waiting"))
        let words = try await tab.evaluate("document.querySelector('#request').innerText")
        #expect(words.contains("is the cable in?") && words.contains("is sent as soon as the connection is back"))
        try await tab.takePictures("waiting")
        try lab.network.setCable(connected: true)
        try await tab.wait(state("online"))

        try lab.network.setCable(connected: false)
        try await tab.waitForVerdict("Offline")
        try await tab.press("Request data")
        try await tab.wait(state("waiting"))
        try await tab.press("Stop waiting")
        // A cancelled request leaves what the last one showed.
        try await tab.wait(state("online"))
        #expect(
            try await tab.evaluate("['checking', 'waiting', 'online', 'serverTrouble'].every(s => seen.includes(s))")
                == "true")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test func `the demonstration shows the real network by each class, live`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await open(lab, ["--demo"])
        /// The row's value, a list separated by commas, has an item that begins with this text.
        func value(_ name: String, _ start: String) -> String {
            """
            [...document.querySelectorAll('#variants tr')].some(row => row.cells[0].textContent === '\(name)'
              && (', ' + row.cells[1].textContent).includes(', \(start)'))
            """
        }
        let names = ["zero address", "host name", "address pair"].map { "SCNetworkReachability, \($0)" }
        for (name, start) in names.map({ ($0, "-R ") }) + [
            ("NWPathMonitor", "satisfied over up0"), ("NWPathMonitor, Wi-Fi only", "unsatisfied"),
            ("Notification of PathMonitor", "hasIPv4"), ("Notification of HostMonitor", "hostname: "),
            ("NetworkPath", "reachable"), ("ConnectivityMonitor", "Online"), ("Last request", "unknown"),
        ] { try await tab.wait(value(name, start)) }
        // A simulated scene does not change these rows.
        try await tab.press("Wi-Fi lost")
        try await tab.waitForVerdict("Offline")
        try await tab.wait(value("NWPathMonitor", "satisfied over up0"))
        try lab.network.setCable(connected: false)
        for (name, start) in names.filter({ !$0.hasSuffix("host name") }).map({ ($0, "-- ") }) + [
            ("NWPathMonitor", "unsatisfied"), ("Notification of PathMonitor", "status: unsatisfied"),
            ("NetworkPath", "not reachable"), ("ConnectivityMonitor", "Offline"),
        ] { try await tab.wait(value(name, start)) }
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test func `the page is accessible to screen readers and fits a phone`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await open(lab, ["--demo"])
        try await tab.waitForVerdict("Online")
        let tree = try await tab.accessibilityTree()
        func has(_ role: String, _ name: String) -> Bool {
            tree.contains { $0.role == role && $0.name.hasPrefix(name) }
        }
        for (role, name) in [
            ("banner", ""), ("main", ""), ("contentinfo", ""), ("heading", "Online"),
            ("heading", "Details"),
            ("heading", "Link"), ("heading", "Internet"), ("heading", "Hosts"),
            ("heading", "Test request"), ("heading", "History"), ("button", "Request data"),
            ("navigation", "Time window"), ("link", "Week"), ("textbox", "Another host"), ("status", ""),
            ("button", "Login page"), ("link", "Skip to the verdict"), ("image", "The last day:"),
            ("region", "Verdict"),
        ] {
            #expect(has(role, name), "no \(role) '\(name)'")
        }
        #expect(tree.filter { ["button", "link", "textbox"].contains($0.role) }.allSatisfy { !$0.name.isEmpty })
        // A generated history has all elements of the page: outages, a latency chart, long tables.
        try await tab.press("Online")
        try await tab.evaluate(
            "[...document.querySelectorAll('.windows a')].find(a => a.textContent === '90 days').click()")
        try await tab.wait("document.querySelectorAll('.outages li').length > 10")
        for width in [320, 360, 390, 768, 1280, 1920] {
            try await tab.show(width: width, isDark: false)
            let wide = try await tab.evaluate("document.documentElement.scrollWidth")
            #expect((Int(wide) ?? 0) <= width, "at \(width) the page is \(wide) wide")
            let cut = try await tab.evaluate(
                """
                [...document.querySelectorAll('#past li, #past dd, #past a, #past h3, #past .outages *')].filter(e => {
                  const box = e.getBoundingClientRect();
                  return e.checkVisibility() && (box.left < 0 || box.right > innerWidth || e.scrollWidth > e.clientWidth + 1
                    && getComputedStyle(e).display !== 'inline');
                }).map(e => e.outerHTML).join()
                """)
            #expect(cut == "", "cut off at \(width): \(cut)")
        }
        let contrast = try await tab.evaluate(Contrast.script)
        #expect(contrast == "", "\(contrast)")
        try await tab.show(width: 1280, isDark: true)
        let darkContrast = try await tab.evaluate(Contrast.script)
        #expect(darkContrast == "", "\(darkContrast)")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }

    @Test func `a click on the drawing zooms in on that part, and so do keys`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await open(lab, ["--demo"], "/?window=quarter")
        try await tab.press("Online")
        try await tab.wait("document.querySelector('.demo-history') !== null")
        func length() async throws -> Double? {
            Double(try await tab.evaluate("(d => d.to - d.from)(document.querySelector('.timeline').dataset)"))
        }
        #expect(try await length() == 90 * 86_400)
        try await tab.click(".slices a:nth-child(6)")
        try await tab.wait("document.querySelector('#timeline-said').textContent.startsWith('The selected time')")
        #expect(try await length() == 22.5 * 86_400)
        #expect(try await tab.evaluate("location.search").hasPrefix("?window=quarter&from="))
        #expect(try await tab.evaluate("document.querySelector('.windows [aria-current]') === null") == "true")
        // Pointing shows the part at this place, in a column its shares of the states.
        try await tab.point(at: ".timeline .share.s-offline")
        try await tab.wait("document.querySelector('.readout').textContent.match(/, [0-9]+ (s|min)/)")

        try await tab.tab(to: "Zoom in")
        try await tab.press(.enter)
        try await tab.wait("(d => d.to - d.from)(document.querySelector('.timeline').dataset) === 486000")
        #expect(try await tab.focus().words == "Zoom in")
        try await tab.tab(to: "Later")
        let from = try await tab.evaluate("document.querySelector('.timeline').dataset.from")
        try await tab.press(.enter)
        try await tab.wait("document.querySelector('.timeline').dataset.from - \(from) === 243000")
        try await tab.tab(to: "Last 90 days")
        try await tab.press(.enter)
        try await tab.wait("document.querySelector('.windows [aria-current]').textContent === '90 days'")
        try await tab.takePictures("history-90-days")
        for window in ["Day", "Hour", "Week", "30 days"] {
            try await tab.evaluate(
                "[...document.querySelectorAll('.windows a')].find(a => a.textContent === '\(window)').click()")
            try await tab.wait("document.querySelector('.windows [aria-current]').textContent === '\(window)'")
            if window == "Day" { try await tab.takePictures("history-day") }
        }
        // The times under the drawing are round in the visitor's time zone.
        _ = try await tab.call("Emulation.setTimezoneOverride", ["timezoneId": "Asia/Kathmandu"])
        _ = try await tab.call("Page.navigate", ["url": "http://127.0.0.1:\(serving.port)/?window=day"])
        try await tab.wait("document.querySelector('#link').dataset.link === 'live'")
        try await tab.wait(
            """
            (texts => texts.length >= 2 && texts.every(t => ['12:00 AM', '6:00 AM', '12:00 PM', '6:00 PM'].includes(t)))(
              [...document.querySelectorAll('.tick text')].map(e => e.textContent.replace('\\u202f', ' ')).filter(t => t))
            """)
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }

    @Test func `a demo shows every state, and then the real network again`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await open(lab, ["--demo"])
        try await tab.waitForVerdict("Online")
        for (button, verdict, picture) in [
            ("Wi-Fi lost", "Offline", nil), ("Login page", "Login required", "portal"),
            ("Dead uplink", "Limited", nil),
            ("HTTP only", "Limited", "limited"), ("Dial on demand", "Not connected", nil),
            ("Hidden network", "Unknown", "unknown"), ("Cellular", "Online", nil), ("Online", "Online", nil),
        ] as [(String, String, String?)] {
            try await tab.press(button)
            try await tab.waitForVerdict(verdict)
            try await tab.wait("document.querySelector('#scenes [aria-pressed=true]').textContent === '\(button)'")
            if let picture { try await tab.takePictures("demo-\(picture)") }
        }
        try await tab.press("Server error")
        try await tab.press("Request data")
        try await tab.wait("document.querySelector('[data-request]').dataset.request === 'serverTrouble'")
        try await tab.press("The real network")
        try await tab.wait("document.querySelector('.since strong').textContent.includes('up0')")

        try await tab.evaluate("(document.querySelector('#host').value = '192.0.2.1', 1)")
        try await tab.press("Watch")
        try await tab.wait("[...document.querySelectorAll('.hosts .host')].some(e => e.textContent === '192.0.2.1')")
        try await tab.evaluate("(document.querySelector('#host').value = '<b>no host', 1)")
        try await tab.press("Watch")
        try await tab.wait("document.querySelector('.notice').textContent.startsWith('That is not a valid host name')")
        // Simulated states are not recorded in the history.
        #expect(!(try await serving.get("/api/history").body.contains("\"state\":\"captivePortal\"")))
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }
}
#endif
