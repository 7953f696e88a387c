// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

/// The state of the network on the page, which changes by itself.
@Suite(.requires(.networkNamespaces), .requires(.chromium), .serialized, .timeLimit(.minutes(10)))
struct DashboardTests {
    @Test func `a disconnected cable and its return both show without a reload`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.open([], "/?window=hour")
        try await tab.waitForVerdict("Online")
        try await tab.wait("document.querySelector('#link').dataset.link === 'live'")
        try await tab.evaluate("window.isTheSame = true")

        try await lab.network.setCable(connected: false)
        try await tab.waitForVerdict("Offline")
        try await tab.wait("document.querySelector('.reason').textContent === 'No carrier on up0: is the cable in?'")
        try await tab.wait("document.querySelector('[data-hop=machine]').dataset.standing === 'broken'")
        try await tab.wait("document.body.dataset.severity === 'bad'")
        try await tab.wait("document.querySelector('#hosts .standing').textContent === 'not reachable'")
        try await tab.wait("document.querySelector('#announcer').textContent.startsWith('Offline. No carrier')")
        try await tab.takePictures("offline")

        try await lab.network.setCable(connected: true)
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
        let icon = try await tab.evaluate("document.querySelector('#icon').href")
        serving.command.terminate()
        try await tab.wait("document.body.dataset.link === 'lost'")
        try await tab.waitForVerdict("No answer")
        #expect(try await tab.evaluate("document.title").hasPrefix("No answer · "))
        #expect(try await tab.evaluate("document.querySelector('#icon').href") != icon)
        #expect(try await tab.evaluate("document.querySelector('.last').textContent") == "Online")
        #expect(try await tab.evaluate("document.querySelectorAll('#verdict .age').length") == "0")
        let since = try await tab.evaluate("document.querySelector('#verdict .since').innerText")
        #expect(since.hasPrefix("The server has not answered since "), "\(since)")
        #expect(try await tab.evaluate(Contrast.script) == "")
        try await tab.takePictures("lost")
        let again = try await lab.serve(["--listen", "127.0.0.1:\(serving.port)"])
        try await tab.wait("document.body.dataset.link === 'live'")
        try await tab.waitForVerdict("Online")
        #expect(try await tab.evaluate("document.querySelector('#icon').href") == icon)
        #expect(try await tab.evaluate("window.isTheSame") == "true")
        again.command.terminate()
        #expect(try await again.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test func `the button passes through unknown, checking, online, server trouble, offline and back`()
        async throws
    {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.open()
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
                return .answer(200, body: "{}").after(.seconds(4))
            })
        try await tab.press("Request data")
        try await tab.wait(state("checking"))
        try await tab.wait(state("online"))

        try await lab.network.setCable(connected: false)
        try await tab.waitForVerdict("Offline")
        try await tab.press("Request data")
        try await tab.wait(state("waiting"))
        let words = try await tab.evaluate("document.querySelector('#request').innerText")
        #expect(words.contains("is the cable in?") && words.contains("is sent as soon as the connection is back"))
        // While it waits, only "Stop waiting" is offered.
        let disabled = "[...document.querySelectorAll('[aria-disabled=true]')].some(e => e.value === 'start')"
        try await tab.wait(disabled)
        try await tab.takePictures("waiting")
        try await lab.network.setCable(connected: true)
        try await tab.wait(state("online"))
        try await tab.wait("!\(disabled)")

        try await lab.network.setCable(connected: false)
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

    @Test func `the demonstration shows the network by each class, live: the real one, and the scenes`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.open(isDemo: true)
        /// The row's value, a list separated by commas, has an item that begins with this text.
        func value(_ name: String, _ start: String) -> String {
            """
            [...document.querySelectorAll('#variants tr')].some(row => row.cells[0].textContent === '\(name)'
              && (', ' + row.cells[1].textContent).includes(', \(start)'))
            """
        }
        let task = "WaitingRoom, as for a URLSession task"
        #if Publishers
        let providers = ["NetworkReachability", "NetworkMonitor", "CallbackReachabilityProvider"]
        #else
        let providers: [String] = []
        #endif
        let names = ["zero address", "host name", "address pair"].map { "SCNetworkReachability, \($0)" }
        /// Waits until all rows with flags and providers, and some others, have these values.
        func wait(flags: String, providers status: String?, _ others: [(String, String)]) async throws {
            for name in names { try await tab.wait(value(name, flags)) }
            if let status { for name in providers { try await tab.wait(value(name, status)) } }
            for (name, start) in others { try await tab.wait(value(name, start)) }
        }
        let real = [
            ("NWPathMonitor", "satisfied over up0"), ("NWPathMonitor, Wi-Fi only", "unsatisfied"),
            ("nw_path_monitor_t", "nw_path_status_satisfied"), ("NetworkPath.updates()", "satisfied over up0"),
            ("ConnectivityMonitor", "Online"), (task, "sent"), ("Last request", "unknown"),
        ]
        try await wait(flags: "-R ", providers: "reachable(ethernetOrWiFi)", real)

        // The rows follow the scenes.
        func play(_ scene: String) async throws {
            try await tab.press(scene)
            try await tab.wait("document.querySelector('#variants p').textContent.includes('\(scene)')")
        }
        try await play("Wi-Fi lost")
        try await wait(
            flags: "-- ------- ", providers: "notReachable",
            [
                ("NWPathMonitor", "unsatisfied"), ("nw_path_monitor_t", "nw_path_status_unsatisfied"),
                ("NetworkPath.updates()", "unsatisfied: wlan0 is not connected"), ("ConnectivityMonitor", "Offline"),
                (task, "waiting"),
            ])
        try await play("Cellular")
        try await wait(
            flags: "WR t------ ", providers: "reachable(wwan)",
            [
                ("NWPathMonitor", "satisfied over wwan0"), ("NWPathMonitor, Wi-Fi only", "unsatisfied"),
                ("ConnectivityMonitor", "Online"), (task, "sent"),
            ])
        try await play("Wrong password")
        try await wait(
            flags: "-R tcC---- ", providers: nil,
            [
                ("NWPathMonitor", "requiresConnection"), ("nw_path_monitor_t", "nw_path_status_satisfiable"),
                (task, "waiting"),
            ])
        try await tab.takePictures("classes")

        // The last request of a simulated network is not that of the real one.
        try await play("Server error")
        try await tab.press("Request data")
        try await tab.wait(value("Last request", "serverTrouble"))
        try await tab.press("The real network")
        try await wait(flags: "-R ", providers: "reachable(ethernetOrWiFi)", real)
        try await lab.network.setCable(connected: false)
        for (name, start) in names.filter({ !$0.hasSuffix("host name") }).map({ ($0, "-- ") }) + [
            ("NWPathMonitor", "unsatisfied"),
            ("NetworkPath.updates()", "unsatisfied"), ("ConnectivityMonitor", "Offline"), (task, "waiting"),
        ] { try await tab.wait(value(name, start)) }
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }
}
#endif
