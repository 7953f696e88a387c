// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
@testable import DialtoneHistory
import Foundation
import TestSupport
import Testing

@testable import DialtoneServer

/// The report of the history, printed by a browser.
@Suite(.requires(.networkNamespaces), .requires(.chromium), .serialized, .timeLimit(.minutes(5)))
struct ReportPrintTests {
    /// A month with long names, many outages and a busy line in the evenings.
    static func sheet(_ language: ReportWording.Language) -> HistorySheet {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let long = "an-interface-name"
        var transitions = [HistoryTransition(time: start, state: .online, interfaceName: long)]
        for number in 1...60 {
            let time = start + Double(number) * 40_000
            let length = number % 8 == 0 ? 39_999.0 : 2400
            transitions.append(
                HistoryTransition(
                    time: time, earliest: time - 5, state: .noInternet, cause: HistoryCause(rawValue: "dnsSilent"),
                    interfaceName: long, fault: ConnectivityFault.allCases[number % ConnectivityFault.allCases.count]))
            transitions.append(
                HistoryTransition(time: time + length, earliest: time + length - 9, state: .online, interfaceName: long)
            )
        }
        let hops = (0..<720).flatMap { hour -> [HopPeriod] in
            let isBusy = hour % 24 > 17
            let time = start + Double(hour) * 3600
            func period(_ hop: HeartbeatHop, _ trip: Int, lost: Int) -> HopPeriod {
                let trips = (0..<720).map { $0 < lost ? nil : Duration.milliseconds(trip + $0 % 5) }
                return HopPeriod(start: time, length: 3600, hop: hop, statistics: HopStatistics(trips))
            }
            return [
                period(.router, 1, lost: hour % 50 == 0 ? 1 : 0),
                period(.beyond, isBusy ? 48 + hour % 7 : 18, lost: isBusy ? hour % 40 : 0),
            ]
        }
        var sheet = HistorySheet(
            Timeline(from: start, to: start + 2_592_000, transitions: transitions), hops: hops,
            machine: String(repeating: "long-name-", count: 6), made: start + 2_592_000, in: language)
        sheet.agreed = 0.995
        sheet.note = "Customer 4711, contract 250/50"
        return sheet
    }

    @Test(
        arguments: [
            ("A4", 210.0, 297.0, .english), ("A4", 210.0, 297.0, .german), ("Letter", 215.9, 279.4, .english),
        ] as [(String, Double, Double, ReportWording.Language)])
    func `a report is printed on several pages, and nothing is cut`(
        name: String, width: Double, height: Double, language: ReportWording.Language
    ) async throws {
        let lab = try await ServeLab()
        let browser = try await Browser.start(in: lab.network.client)
        let file = FileManager.default.temporaryDirectory.appending(path: "dialtone-report-\(UUID().uuidString).html")
        try Self.sheet(language).text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let tab = try await Tab(browser, file.absoluteString)
        try await tab.wait("document.querySelectorAll('.outage').length === 60")
        for width in [390, 1280] {
            try await tab.show(width: width, isDark: false)
            try await tab.takePicture("report-\(language.rawValue)-\(width)")
            let (faint, broken) = (
                try await tab.evaluate(Contrast.script), try await tab.evaluate(AccessibilityRules.script)
            )
            #expect(faint == "" && broken == "no live region", "\(width): \(faint) \(broken)")
            #expect(try await tab.evaluate("document.documentElement.scrollWidth") == "\(width)")
        }
        // The width between the margins of the style, at 96 pixels per inch.
        let pixels = Int((width - 28) / 25.4 * 96)
        try await tab.show(width: pixels, isDark: false)
        _ = try await tab.call("Emulation.setEmulatedMedia", ["media": "print"])
        let cut = try await tab.evaluate(
            """
            (all => all.length + ' ' + all.filter(e => !e.ownerSVGElement && e.scrollWidth > e.clientWidth && getComputedStyle(e).display !== 'inline'
              || e.getBoundingClientRect().right > innerWidth + 0.5).map(e => e.outerHTML.slice(0, 60)).join())(
              [...document.querySelectorAll('body *')])
            """)
        #expect(cut.last == " " && Int(cut.dropLast()).map { $0 > 400 } == true, "\(name): \(cut)")

        try await tab.takePicture("report-\(language.rawValue)-\(name)")
        let printed = try await tab.call(
            "Page.printToPDF", ["paperWidth": width / 25.4, "paperHeight": height / 25.4, "printBackground": true])
        let pdf = try #require((printed["result.data"] as? String).flatMap { Data(base64Encoded: $0) })
        let pages = String(decoding: pdf, as: Unicode.ASCII.self).matches(of: /\/Type \/Page\b/).count
        #expect((3...10).contains(pages), "\(name): \(pages) pages")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
    }

    @Test func `the server's policy allows the style of the report`() async throws {
        let lab = try await ServeLab()
        try await lab.network.join()
        let (tab, serving) = try await lab.open([], "/report")
        try await tab.wait("getComputedStyle(document.querySelector('dl div')).display === 'flex'")
        #expect(try await tab.evaluate("getComputedStyle(document.querySelector('nav')).display") == "flex")
        try await tab.takePicture("report")
        _ = try await tab.call("Emulation.setEmulatedMedia", ["media": "print"])
        #expect(try await tab.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none")
        #expect(tab.complaints.isEmpty, "\(tab.complaints)")
        serving.command.terminate()
    }
}
#endif
