// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

/// The page for visitors without a mouse or JavaScript, or on another machine.
@Suite(.requires(.networkNamespaces), .requires(.chromium), .serialized, .timeLimit(.minutes(5)))
struct BasicsTests {
    @Test func `a visitor on another machine logs in with the token, sees the page, and logs out`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let token = lab.directory.appending(path: "token")
        try FileManager.default.createDirectory(at: lab.directory, withIntermediateDirectories: true)
        try Data("correct-horse-battery\n".utf8).write(to: token)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token.path)
        let serving = try await lab.serve(["--listen", "192.0.2.2:0", "--token-file", token.path])
        let browser = try await Browser.start(in: lab.network.client)
        let tab = try await Tab(browser, "http://192.0.2.2:\(serving.port)/?window=hour")

        try await tab.wait("location.pathname === '/login'")
        let tree = try await tab.accessibilityTree()
        for (role, name) in [("heading", "Log in"), ("textbox", "Token"), ("button", "Log in")] {
            #expect(tree.contains { $0.role == role && $0.name == name }, "no \(role) '\(name)'")
        }
        #expect(try await tab.evaluate(Contrast.script) == "")
        try await tab.takePictures("login")
        // Before the login, the page reveals nothing about the network.
        #expect(!(try await tab.evaluate("document.body.innerText").contains("up0")))

        // The field has the focus: typing and Enter are enough.
        try await tab.wait("document.activeElement.id === 'token'")
        try await tab.type("no such token at all")
        try await tab.press(.enter)
        try await tab.wait("document.querySelector('[role=alert]').textContent === 'Wrong token.'")
        try await tab.wait("document.activeElement.id === 'token'")
        try await tab.type("correct-horse-battery")
        try await tab.press(.enter)
        try await tab.waitForVerdict("Online")
        try await tab.wait("document.querySelector('#link').dataset.link === 'live'")
        #expect(try await tab.evaluate("document.cookie") == "")
        #expect(try await tab.evaluate("location.href").contains("correct") == false)

        try await lab.network.setCable(connected: false)
        try await tab.waitForVerdict("Offline")
        try await lab.network.setCable(connected: true)
        try await tab.waitForVerdict("Online")
        try await tab.press("Log out")
        try await tab.wait("location.pathname === '/login'")
        _ = try await tab.call("Page.navigate", ["url": "http://192.0.2.2:\(serving.port)/"])
        try await tab.wait("location.pathname === '/login'")
        // The browser's console reports the one refused login, and nothing else.
        #expect(tab.complaints.allSatisfy { $0.contains("status of 401") }, "\(tab.complaints)")
        serving.command.terminate()
    }

    @Test func `without JavaScript the basics work, and the page keeps itself up to date`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serve()
        let browser = try await Browser.start(in: lab.network.client)
        let tab = try await Tab(browser, "http://127.0.0.1:\(serving.port)/?window=hour", runsScripts: false)
        // Verify that scripts are really disabled.
        #expect(try await tab.evaluate("document.querySelector('#link').dataset.link") == "static")
        try await tab.waitForVerdict("Online")
        #expect(try await tab.evaluate("document.querySelector('#link').textContent").hasPrefix("as of "))
        try await tab.takePictures("without-scripts")

        // The page reloads itself every 15 s.
        try await lab.network.setCable(connected: false)
        try await tab.waitForVerdict("Offline")
        try await tab.wait("document.querySelector('.reason').textContent === 'No carrier on up0: is the cable in?'")
        #expect(try await tab.evaluate("location.search").hasPrefix("?window=hour"))
        try await lab.network.setCable(connected: true)
        try await tab.waitForVerdict("Online")
        // A form leads back to the page.
        try await tab.press("Check now")
        try await tab.wait("location.search === ''")
        try await tab.waitForVerdict("Online")
        try await tab.follow("Week")
        try await tab.wait("document.querySelector('.windows [aria-current]').textContent === 'Week'")
        // A slice of the drawing is a link, and so is the way back.
        try await tab.evaluate("document.querySelector('.slices a:nth-child(12)').click()")
        try await tab.wait("document.querySelector('#timeline-said').textContent.startsWith('The selected time')")
        try await tab.follow("Last week")
        try await tab.wait("document.querySelector('.windows [aria-current]').textContent === 'Week'")
        try await tab.evaluate(
            "[...document.querySelectorAll('summary')].find(s => s.textContent.startsWith('The timeline as')).click()")
        try await tab.wait(
            "[...document.querySelectorAll('details[open] td')].some(e => e.textContent.startsWith('Offline'))")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }

    @Test func `every control is reachable with the keyboard, in order, with visible focus`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let serving = try await lab.serve()
        let browser = try await Browser.start(in: lab.network.client)
        let tab = try await Tab(browser, "http://127.0.0.1:\(serving.port)/")
        try await tab.waitForVerdict("Online")
        try await tab.wait("document.querySelector('#link').dataset.link === 'live'")

        var reached: [String] = []
        while reached.count < 80 {
            try await tab.press(.tab)
            let (words, isVisible) = try await tab.focus()
            // After the last control, the focus moves to the browser's own frame.
            if words.isEmpty || words == reached.first { break }
            #expect(isVisible, "one does not see that '\(words)' has the focus")
            reached.append(words)
        }
        #expect(reached.first == "Skip to the verdict")
        let order = [
            "Skip to the verdict", "Hour", "Day", "Week", "30 days", "90 days", "Zoom in", "Earlier",
            "The timeline as a table", "Outages as CSV", "Timeline as CSV", "Check now", "documentation",
            "Status (JSON)", "History (JSON)", "Hosts (JSON)", "Metrics (Prometheus)",
        ]
        #expect(reached.filter(order.contains) == order, "\(reached)")
        let all = try await tab.evaluate(
            "[...document.querySelectorAll('a[href]:not([tabindex]), button, summary, input')].filter(e => e.checkVisibility()).length"
        )
        #expect(Int(all) == reached.count, "\(reached)")

        // Controls work with keys, and the focus is kept when the page changes.
        try await tab.tab(to: "Week")
        try await tab.press(.enter)
        try await tab.wait("document.querySelector('.windows [aria-current]').textContent === 'Week'")
        #expect(try await tab.focus().words == "Week")
        try await tab.tab(to: "The timeline as a table")
        try await tab.press(.space)
        try await tab.wait("document.querySelector('#past details[open] td') !== null")
        try await tab.tab(to: "Check now")
        let checked = try await tab.evaluate("document.querySelector('#evidence time').dateTime")
        try await tab.press(.space)
        try await tab.wait("document.querySelector('#evidence time').dateTime !== '\(checked)'")
        #expect(try await tab.focus().words == "Check now")
        try await lab.network.setCable(connected: false)
        try await tab.waitForVerdict("Offline")
        try await lab.network.setCable(connected: true)
        try await tab.waitForVerdict("Online")
        #expect(try await tab.evaluate("document.querySelector('#past details[open] td') !== null") == "true")
        try await tab.tab(to: "Skip to the verdict")
        try await tab.press(.enter)
        try await tab.wait("document.activeElement.id === 'main'")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }
}
#endif
