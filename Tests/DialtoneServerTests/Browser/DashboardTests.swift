// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

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
        let (tab, serving) = try await lab.open(["--demo"])
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
            ("Notification of PathMonitor", "hasIPv4"), ("Notification of HostMonitor", "hostname: "),
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
                ("Notification of PathMonitor", "status: unsatisfied"),
                ("NetworkPath.updates()", "unsatisfied: wlan0 is not connected"), ("ConnectivityMonitor", "Offline"),
                (task, "waiting"),
            ])
        try await play("Cellular")
        try await wait(
            flags: "WR t------ ", providers: "reachable(wwan)",
            [
                ("NWPathMonitor", "satisfied over wwan0"), ("NWPathMonitor, Wi-Fi only", "unsatisfied"),
                ("Notification of HostMonitor", "reachableViaCellular"), ("Notification of PathMonitor", "isCellular"),
                ("ConnectivityMonitor", "Online"), (task, "sent"),
            ])
        try await play("Wrong password")
        try await wait(
            flags: "-R tcC---- ", providers: nil,
            [
                ("NWPathMonitor", "requiresConnection"), ("nw_path_monitor_t", "nw_path_status_satisfiable"),
                ("Notification of HostMonitor", "connectionIsDynamic"), (task, "waiting"),
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
            ("NWPathMonitor", "unsatisfied"), ("Notification of PathMonitor", "status: unsatisfied"),
            ("NetworkPath.updates()", "unsatisfied"), ("ConnectivityMonitor", "Offline"), (task, "waiting"),
        ] { try await tab.wait(value(name, start)) }
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus(timeout: .seconds(60)) == 0)
    }

    @Test func `a refused form says why, and one without an answer shows that the server is lost`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.open()
        try await tab.waitForVerdict("Online")
        try await tab.wait("document.body.dataset.link === 'live'")
        try await tab.evaluate("Array.from({ length: 20 }, () => document.querySelector('.latest button').click())")
        try await tab.wait(
            "[...document.querySelectorAll('.latest .field-error')].map(e => e.textContent.split('.')[0]).join() === 'Too many requests'"
        )
        // While the server is stopped, its event stream stays open: the page must recover without a new one.
        kill(serving.command.identifier, SIGSTOP)
        try await tab.press("Check now")
        try await tab.wait("document.body.dataset.link === 'lost'")
        kill(serving.command.identifier, SIGCONT)
        try await tab.wait("document.body.dataset.link === 'live'")
        try await tab.waitForVerdict("Online")
        serving.command.terminate()
    }

    @Test func `a failed check says at which step each endpoint failed, and can be repeated`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.open()
        try await tab.waitForVerdict("Online")
        try await tab.wait("document.querySelector('.due') !== null")
        let checked = try await tab.evaluate("document.querySelector('#evidence time').dateTime")
        try await tab.press("Check now")
        try await tab.wait("document.querySelector('#evidence time').dateTime !== '\(checked)'")
        lab.internet.play(.init { _ in .answer(503) })
        try await tab.press("Check now")
        try await tab.waitForVerdict("Limited")
        try await tab.wait("document.querySelector('[data-passed=false] td:last-child').textContent.includes('503')")
        try await tab.wait("document.querySelector('[data-hop=internet]').dataset.standing === 'broken'")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }

    @Test func `a demo shows every state, and then the real network again`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.open(["--demo"])
        try await tab.waitForVerdict("Online")
        for (button, verdict, picture) in [
            ("Wi-Fi lost", "Offline", nil), ("Login page", "Login required", "portal"),
            ("Dead uplink", "No Internet", nil),
            ("HTTP only", "Limited", "limited"), ("Wrong password", "Not connected", nil),
            ("Hidden network", "Unknown", "unknown"), ("Cellular", "Online", nil), ("Online", "Online", nil),
        ] as [(String, String, String?)] {
            try await tab.press(button)
            try await tab.waitForVerdict(verdict)
            try await tab.wait("document.querySelector('#scenes [aria-pressed=true]').textContent === '\(button)'")
            // A simulated check has no time.
            #expect(try await tab.evaluate("document.querySelector('.due') === null") == "true")
            if let picture { try await tab.takePictures("demo-\(picture)") }
        }
        try await tab.press("Server error")
        try await tab.press("Request data")
        try await tab.wait("document.querySelector('[data-request]').dataset.request === 'serverTrouble'")
        try await tab.press("The real network")
        try await tab.wait("document.querySelector('.since strong').textContent.includes('up0')")

        try await tab.evaluate("(document.querySelector('#host').value = '192.0.2.1', window.isOld = true)")
        try await tab.press("Watch")
        // The old page may show the new host before its successor is loaded.
        try await tab.wait("!window.isOld && document.readyState === 'complete'")
        try await tab.wait("[...document.querySelectorAll('.hosts .host')].some(e => e.textContent === '192.0.2.1')")
        try await tab.evaluate("(document.querySelector('#host').value = '<b>no host', 1)")
        try await tab.press("Watch")
        try await tab.wait("document.querySelector('#host-error').textContent.endsWith(\"'<b>no host'.\")")
        // Simulated states are not recorded in the history.
        #expect(!(try await serving.get("/api/history").body.contains("\"state\":\"captivePortal\"")))
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }

    @Test func `a host is added and removed, what is being entered is kept, and a narrow page does not overflow`()
        async throws
    {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.open(["--host-interval", "1"])
        try await tab.waitForVerdict("Online")
        try await tab.evaluate("(document.querySelector('#host').value = '203.0.113.1:80', window.isOld = true)")
        try await tab.press("Watch")
        // The old page may show the new host before its successor is loaded.
        try await tab.wait("!window.isOld && document.readyState === 'complete'")
        // A browser takes the focus to the fragment of the address in one of the next frames.
        try await tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        let added =
            "[...document.querySelectorAll('.host-list > li')].find(e => e.textContent.startsWith('203.0.113.1:80'))"
        try await tab.wait("\(added).dataset.verdict === 'reachable'")

        try await tab.evaluate(
            "(document.querySelector('#host').value = 'half a na', document.querySelector('#host').focus(), 1)")
        lab.internet.play(.init(https: .closed))
        try await tab.wait("document.querySelector('.host-list > li').dataset.verdict === 'unreachable'")
        #expect(try await tab.evaluate("document.querySelector('#host').value") == "half a na")
        #expect(try await tab.evaluate("document.activeElement.id") == "host")

        for width in [360, 700, 1280] {
            try await tab.show(width: width, isDark: false)
            let overflowing = try await tab.evaluate(
                """
                [...document.querySelectorAll('.hosts *:not(path)')].filter(e => !e.classList.contains('unseen')
                  && e.getBoundingClientRect().right > innerWidth + 0.5).map(e => e.className || e.tagName).join()
                """)
            #expect(overflowing == "", "\(width)")
        }
        try await tab.takePictures("hosts")
        try await tab.press("Remove 203.0.113.1:80")
        try await tab.wait("!\(added)")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }
}
#endif
