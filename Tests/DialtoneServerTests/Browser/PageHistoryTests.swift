// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import TestSupport
import Testing

/// The history of the page: its periods, and zooming in on a part.
@Suite(.requires(.networkNamespaces), .requires(.chromium), .serialized, .timeLimit(.minutes(5)))
struct PageHistoryTests {
    @Test func `90 days are 90 bars, each of which opens its day`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.openDemo("/?window=quarter")
        try await tab.waitForVerdict("Online")
        #expect(try await tab.evaluate("document.querySelectorAll('.days a').length") == "90")
        #expect(
            try await tab.evaluate(
                "[...document.querySelectorAll('.days a')].every(e => /: (no outage|[0-9]+ outages?, .* (s|min|h))/.test(e.title))"
            )
                == "true")
        try await tab.takePictures("history-90-days")
        // In grey, the parts of a bar differ by 3 : 1, in light and dark.
        for isDark in [false, true] {
            try await tab.show(width: 1440, isDark: isDark)
            let ratio = Double(try await tab.evaluate(Contrast.barScript)) ?? 0
            #expect(ratio >= 3, "dark \(isDark): \(ratio)")
        }
        for width in [320, 1440] {
            try await tab.show(width: width, isDark: false)
            let cut = try await tab.evaluate(
                """
                [...document.querySelectorAll('.days a')].filter(e => (b => b.width < 4 || b.left < 0 || b.right > innerWidth)(
                  e.getBoundingClientRect())).length
                """)
            #expect(cut == "0", "\(width)")
        }
        // Its link and that of the table lead to the same day.
        let place = try await tab.evaluate(
            "[...document.querySelectorAll('.days a')].findIndex((e, i) => i > 40 && e.dataset.down > 0)")
        let day = try await tab.evaluate("document.querySelectorAll('.days a')[\(place)].search")
        try await tab.wait("[...document.querySelectorAll('.day-table a')].some(e => e.search === '\(day)')")
        try await tab.click(".days a:nth-child(\((Int(place) ?? 0) + 1))")
        try await tab.wait("location.search === '\(day)'")
        try await tab.wait("(d => d.to - d.from)(document.querySelector('.timeline').dataset) === 86400")
        try await tab.tab(to: "Last 90 days")
        try await tab.press(.enter)
        try await tab.wait("document.querySelectorAll('.days a').length === 90")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }

    @Test func `a click on the drawing zooms in on that part, and so do keys`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.openDemo("/?window=week")
        try await tab.waitForVerdict("Online")
        func length() async throws -> Double? {
            Double(try await tab.evaluate("(d => d.to - d.from)(document.querySelector('.timeline').dataset)"))
        }
        #expect(try await length() == 7 * 86_400)
        // A part with a short outage: when the generated history has one depends on the date.
        let part = try await tab.evaluate(
            """
            1 + Math.floor(document.querySelector('.timeline .share.s-offline').getAttribute('d').match(/^M([0-9.]+)/)[1] / 90)
            """)
        try await tab.click(".slices a:nth-child(\(part))")
        try await tab.wait("document.querySelector('#timeline-said').textContent.startsWith('The selected time')")
        #expect(try await length() == 1.75 * 86_400)
        let zoomed = String(try await tab.evaluate("location.search").dropFirst())
        #expect(zoomed.hasPrefix("window=week&from="))
        #expect(try await tab.evaluate("document.querySelector('.windows [aria-current]') === null") == "true")
        // Pointing shows the part at this place, in a column its shares of the states.
        try await tab.point(at: ".timeline .share.s-offline")
        try await tab.wait("document.querySelector('.readout').textContent.match(/, [0-9]+ (s|min|h|d)/)")

        try await tab.tab(to: "Zoom in")
        try await tab.press(.enter)
        try await tab.wait("(d => d.to - d.from)(document.querySelector('.timeline').dataset) === 37800")
        #expect(try await tab.focus().words == "Zoom in")
        try await tab.tab(to: "Later")
        let from = try await tab.evaluate("document.querySelector('.timeline').dataset.from")
        try await tab.press(.enter)
        try await tab.wait("document.querySelector('.timeline').dataset.from - \(from) === 18900")
        try await tab.tab(to: "Last week")
        try await tab.press(.enter)
        try await tab.wait("document.querySelector('.windows [aria-current]').textContent === 'Week'")
        for window in ["Day", "Hour", "Week", "30 days"] {
            try await tab.evaluate(
                "[...document.querySelectorAll('.windows a')].find(a => a.textContent === '\(window)').click()")
            try await tab.wait("document.querySelector('.windows [aria-current]').textContent === '\(window)'")
            if window == "Day" { try await tab.takePictures("history-day") }
        }
        // No text under the drawing overlaps another one, or is cut off.
        for (width, address) in [(360, "window=hour"), (360, "window=week"), (768, "window=day"), (360, zoomed)] {
            try await tab.show(width: width, isDark: false)
            _ = try await tab.call("Page.navigate", ["url": "http://127.0.0.1:\(serving.port)/?\(address)"])
            try await tab.wait(
                "location.search === '?\(address)' && document.querySelector('#link').dataset.link === 'live'")
            let texts = try await tab.evaluate(
                """
                (boxes => boxes.some((a, i) => a.left < 0 || a.right > innerWidth
                  || boxes.some((b, j) => i < j && a.left < b.right && b.left < a.right)) || boxes.length)(
                  [...document.querySelectorAll('.timeline text')].filter(e => e.textContent).map(e => e.getBoundingClientRect()))
                """)
            #expect(Int(texts).map { $0 > 1 } == true, "\(address) at \(width): \(texts)")
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
}
#endif
