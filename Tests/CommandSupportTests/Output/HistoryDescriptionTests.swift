// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import Dialtone
import DialtoneHistory
import Foundation
import SystemSupport
import Testing

@testable import DialtoneServerCommand

/// The text of `dialtone history --outages`.
struct HistoryDescriptionTests {
    /// Noon of a day, in the zone of this process.
    private static let noon = Calendar.current.startOfDay(for: Date(timeIntervalSince1970: 1_800_000_000)) + 43_200
    private static let provider =
        "The router answers, but nothing beyond it does: check the router's uplink, or call the provider."

    /// The outages of a day and of the next, watched from the first second.
    private static func lines(width: Int?) -> [String] {
        let rows: [(Double, Double, HistoryState, ConnectivityFault?, String, Double, Double)] = [
            (0, 55, .noInternet, .provider, provider, 7, 2), (1000, 300, .noInternet, .provider, provider, 0, 0),
            (
                5400, 5400, .limited, .nameServers, "DNS servers do not answer (192.0.2.1). The connection works.", 180,
                2
            ),
            (86_400, 41, .offline, .machine, "No carrier on eth0: is the cable in?", 0, 0),
        ]
        let transitions = rows.flatMap { start, length, state, fault, reason, before, after in
            [
                HistoryTransition(
                    time: noon + start, earliest: noon + start - before, state: state, interfaceName: "eth0",
                    reason: reason, fault: fault),
                HistoryTransition(
                    time: noon + start + length, earliest: noon + start + length - after, state: .online,
                    interfaceName: "eth0"),
            ]
        }
        let start = HistoryTransition(time: noon - 20_000, earliest: noon - 20_000, state: .online)
        let timeline = Timeline(from: noon - 20_000, to: noon + 100_000, transitions: [start] + transitions)
        return HistoryDescription(timeline, style: Style(isColored: false), width: width, listsOutages: true).lines
    }

    @Test func `outages are a table by day, and the sums by side come last`() throws {
        let lines = Self.lines(width: nil)
        let (first, second) = (LocalTime.text(Self.noon, .second), LocalTime.text(Self.noon + 86_400, .second))
        let table = lines.drop { !$0.isEmpty }
        #expect(
            Array(table) == [
                "",
                "\(first.prefix(10))  3 outages, 1 h 35 min",
                "  12:00:00        55 s  +7 -2   provider      The router answers, but nothing beyond it does",
                "  12:16:40       5 min          provider      the same",
                "  13:30:00  1 h 30 min  +3m -2  name servers  DNS servers do not answer (192.0.2.1)",
                "",
                "\(second.prefix(10))  1 outage, 41 s",
                "  12:00:00        41 s          machine       No carrier on eth0",
                "",
                "+ and -: by how many seconds it may have lasted longer, or less.",
                "",
                "By side:",
                "  this machine or its link (machine)   1 outage  41 s",
                "  name servers                         1 outage  1 h 30 min ± 3 min",
                "  beyond the router (provider)        2 outages  5 min 55 s ± 7 s",
            ])
        #expect(!lines.contains { $0.hasPrefix("Without the Internet, by fault") })
    }

    @Test func `on a terminal each day has a strip, and no line is wider`() throws {
        let lines = Self.lines(width: 80)
        #expect(lines.allSatisfy { $0.split(separator: "\n").allSatisfy { $0.count <= 80 } }, "\(lines)")
        let strips = lines.filter { $0.hasPrefix("  00 ") }
        #expect(strips.count == 2)
        // Watched from 06:26:40 on, without the Internet for a fifth of the half hour at noon, and from half past one to three.
        #expect(
            strips[0] == "  00 " + String(repeating: " ", count: 12) + "▁▁▁▁▁▁▁▁▁▁▁▁▃▁▁███"
                + String(repeating: "▁", count: 18) + " 24")
    }

    @Test func `a summary alone has the sums by fault`() {
        let timeline = Timeline(
            from: Self.noon, to: Self.noon + 100,
            transitions: [
                HistoryTransition(time: Self.noon, earliest: Self.noon, state: .noInternet, fault: .provider)
            ])
        let lines = HistoryDescription(timeline, style: Style(isColored: false)).lines
        #expect(lines.last == "Without the Internet, by fault: provider 1 min 40 s.")
    }
}
