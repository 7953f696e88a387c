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
}
#endif
