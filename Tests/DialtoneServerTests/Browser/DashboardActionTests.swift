// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

/// What a visitor does on the page; beside `DashboardTests`, because the tests of a suite with a browser run one at a time.
@Suite(.requires(.networkNamespaces), .requires(.chromium), .serialized, .timeLimit(.minutes(10)))
struct DashboardActionTests {
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

    @Test func `a demo shows every state, and records it`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.openDemo()
        try await tab.waitForVerdict("Online")
        for (scene, verdict, picture) in [
            ("offline", "Offline", nil), ("portal", "Login required", "portal"), ("dead-uplink", "No Internet", nil),
            ("only-http", "Limited", "limited"), ("wrong-password", "Not connected", nil),
            ("hidden", "Unknown", "unknown"), ("cellular", "Online", nil), ("tour", "Offline", nil),
            ("online", "Online", nil),
        ] as [(String, String, String?)] {
            try serving.play(scene)
            try await tab.waitForVerdict(verdict)
            if let picture { try await tab.takePictures("demo-\(picture)") }
        }
        try serving.play("Online")
        _ = try await serving.command.errors.next { $0.hasPrefix("There is no scene 'Online': type one of online,") }
        #expect(try await serving.get("/api/history?from=1h").body.contains("\"state\":\"captivePortal\""))
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
    }

    @Test func `a host that fails is shown, and a narrow page does not overflow`()
        async throws
    {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.open(["--host-interval", "1", "--host", "203.0.113.1:80"])
        try await tab.waitForVerdict("Online")
        try await tab.wait("document.querySelector('.host-list > li').dataset.verdict === 'reachable'")
        lab.internet.play(.init(https: .closed))
        try await tab.wait("document.querySelector('.host-list > li').dataset.verdict === 'unreachable'")

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
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }
}
#endif
