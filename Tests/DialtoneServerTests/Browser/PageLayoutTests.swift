// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// The page at several widths: nothing overflows, moves or becomes hard to read, and it is short.
@Suite(.requires(.networkNamespaces), .requires(.chromium), .serialized, .timeLimit(.minutes(5)))
struct PageLayoutTests {
    @Test func `the page is accessible to screen readers and fits a phone`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.openDemo()
        try await tab.waitForVerdict("Online")
        let tree = try await tab.accessibilityTree()
        func has(_ role: String, _ name: String) -> Bool {
            tree.contains { $0.role == role && $0.name.hasPrefix(name) }
        }
        for (role, name) in [
            ("banner", ""), ("main", ""), ("contentinfo", ""), ("heading", "Online"),
            ("heading", "From here to the Internet"), ("heading", "Hosts"), ("heading", "Latest check"),
            ("heading", "History"), ("button", "Check now"), ("navigation", "Time window"), ("link", "Week"),
            ("status", ""), ("link", "Skip to the verdict"), ("image", "The last day:"), ("region", "Verdict"),
        ] {
            #expect(has(role, name), "no \(role) '\(name)'")
        }
        #expect(tree.filter { ["button", "link", "textbox"].contains($0.role) }.allSatisfy { !$0.name.isEmpty })
        // Without transitions, so that no color is read while it changes.
        try await tab.show(width: 1440, isDark: false)
        // A generated history has all elements of the page: outages, lines of hops, long tables.
        try await tab.evaluate(
            "[...document.querySelectorAll('.windows a')].find(a => a.textContent === '90 days').click()")
        try await tab.wait("document.querySelectorAll('.outages li').length > 10")
        for (scene, verdict) in [
            ("online", "Online"), ("offline", "Offline"), ("portal", "Login required"), ("hidden", "Unknown"),
        ] {
            try serving.play(scene)
            try await tab.waitForVerdict(verdict)
            for (width, isDark) in [(320, false), (360, true), (768, false), (1440, true), (1440, false)] {
                try await tab.show(width: width, isDark: isDark)
                let wide = try await tab.evaluate("document.documentElement.scrollWidth")
                #expect((Int(wide) ?? 0) <= width, "\(verdict): at \(width) the page is \(wide) wide")
                let faint = try await tab.evaluate(Contrast.script)
                #expect(faint == "", "\(verdict) at \(width): \(faint)")
                let broken = try await tab.evaluate(AccessibilityRules.script)
                #expect(broken == "", "\(verdict) at \(width): \(broken)")
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
        }
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }

    @Test func `the first page takes less than 80 KB, and four requests besides the event stream`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serveAtRest(
            ["--host", "203.0.113.1", "--host", "203.0.113.7", "--host-interval", "600"])
        // A page that is loaded while checks run requests the parts once more.
        try await eventually(within: .seconds(60)) {
            let parts = try await serving.get("/parts").body
            return parts.contains("\"isComplete\":true") && !parts.contains("data-verdict=\\\"unknown")
        }
        let browser = try await Browser.start(in: lab.network.client)
        let tab = try await Tab(browser, "http://127.0.0.1:\(serving.port)/")
        try await tab.wait("document.querySelector('#link').dataset.link === 'live'")
        #expect(try await tab.evaluate("document.querySelectorAll('.host-row').length") == "2")
        // The transferred bytes, with the fields of the responses.
        let sizes = try await tab.evaluate(
            """
            performance.getEntries().filter(e => e.transferSize > 0).map(
              e => e.transferSize + ' ' + new URL(e.name).pathname).join()
            """
        ).split(separator: ",").map { $0.split(separator: " ").map(String.init) }
        // An event that comes late after the stream has opened requests the parts again.
        let names = sizes.compactMap(\.last)
        #expect(Set(names) == ["/", "/style.css", "/dashboard.js", "/parts"])
        #expect(names.count - 4 <= (names.count { $0 == "/parts" } > 1 ? 1 : 0), "\(sizes)")
        let total = Dictionary(sizes.map { ($0.last, Int($0.first ?? "") ?? 0) }) { first, _ in first }
            .values.reduce(0, +)
        print("the first page: \(total) bytes")
        #expect(total < 81_920, "\(sizes)")
        serving.command.terminate()
    }

    @Test(.requires(.mounts), arguments: [(360, 740), (1440, 900)])
    func `in every scene the first screen has the answer, and nothing in it is cut off or overlaps`(
        width: Int, height: Int
    ) async throws {
        let lab = try await ServeLab()
        let server = try await lab.network.internet.run {
            try ScriptedNameServer(
                playing: ScriptedResolver(otherwise: .addresses("203.0.113.1")), address: "203.0.113.53")
        }
        let mounts = try await OwnMounts(nameServer: "203.0.113.53")
        try await lab.network.join()
        let (tab, serving) = try await lab.open(
            of: lab.serveDemo(["203.0.113.1", "a-host-with-a-long-name.example.com"], among: mounts))
        try await tab.waitForVerdict("Online")
        try await tab.show(width: width, height: height, isDark: false)
        try await tab.wait("document.querySelectorAll('[data-hop=host][data-standing=works]').length === 2")
        var icons: Set<String> = []
        for (scene, verdict, broken, words) in [
            ("cellular", "Online", "", "wwan0"), ("online", "Online", "", "wlan0"),
            ("offline", "Offline", "machine", "is not connected"), ("no-address", "Offline", "machine", "address"),
            ("airplane-mode", "Offline", "machine", "rfkill"),
            ("wrong-password", "Not connected", "machine", "password"),
            ("portal", "Login required", "internet", "login"), ("dead-uplink", "No Internet", "internet", ""),
            ("only-http", "Limited", "internet", "HTTP"), ("hidden", "Unknown", "", ""),
        ] {
            try serving.play(scene)
            try await tab.waitForVerdict(verdict)
            try await tab.wait("document.querySelector('#verdict').innerText.includes('\(words)')")
            try await tab.wait(
                "[...document.querySelectorAll('[data-standing=broken]')].map(e => e.dataset.hop).join() === '\(broken)'"
            )
            try await tab.wait("document.querySelector('.hero .reason') \(verdict == "Online" ? "===" : "!==") null")
            let found = try await tab.evaluate(
                """
                (() => {
                  const all = (s) => [...document.querySelectorAll(s)], found = [];
                  const boxes = all('.hero h1, .hero .since, .hero .reason, .hero .button, #hops-title, .hops li')
                    .map((e) => [e, e.getBoundingClientRect()]);
                  for (const [e, box] of boxes) {
                    if (box.top < 0 || box.bottom > innerHeight) found.push(`below the first screen: ${e.textContent}`);
                    if (e.scrollWidth > e.clientWidth + 1 || box.right > innerWidth) found.push(`cut off: ${e.textContent}`);
                    for (const [f, other] of boxes) if (e !== f && box.left < other.right - 1 && other.left < box.right - 1
                      && box.top < other.bottom - 1 && other.top < box.bottom - 1) found.push(`${e.outerHTML} overlaps ${f.outerHTML}`);
                  }
                  for (const e of all('.hops .name')) if (e.title !== e.textContent) found.push(`no title: ${e.textContent}`);
                  const hero = document.querySelector('.hero').getBoundingClientRect();
                  const last = document.querySelector('#verdict').lastElementChild.getBoundingClientRect();
                  if (hero.bottom - last.bottom > 17) found.push(`empty: ${hero.bottom - last.bottom}`);
                  return found.join('\\n');
                })()
                """)
            #expect(found == "", "\(scene) at \(width): \(found)")
            icons.insert(try await tab.evaluate("document.querySelector('#icon').href"))
        }
        #expect(icons.count == 4)
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
        withExtendedLifetime((server, mounts)) {}
    }
}
#endif
