// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation

@testable import DialtoneHistory

/// The tests' times and records, in seconds after a fixed moment.
enum Sample {
    static let beginning = Date(timeIntervalSince1970: 1_800_000_000)

    static func time(_ seconds: Double) -> Date { beginning + seconds }

    /// - Parameter margin: the seconds by which the state may have begun earlier; nil if that was not observed.
    static func transition(
        _ seconds: Double, _ state: HistoryState, _ cause: HistoryCause? = nil, _ interface: String? = nil,
        margin: Double? = 0
    ) -> HistoryTransition {
        HistoryTransition(
            time: time(seconds), earliest: margin.map { time(seconds - $0) }, state: state, cause: cause,
            interfaceName: interface)
    }

    static func timeline(_ start: Double, _ end: Double, _ transitions: [HistoryTransition]) -> Timeline {
        Timeline(from: time(start), to: time(end), transitions: transitions)
    }

    /// The clock reading `seconds` after the moment, on a host that booted 1000 seconds before it.
    static func clocks(
        _ seconds: Double, slept: Double = 0, wallIsAheadBy step: Double = 0, boot: String = "a"
    ) -> ClockReading {
        ClockReading(
            wall: time(seconds + step), boottime: 1000 + seconds, monotonic: 1000 + seconds - slept, boot: boot)
    }
}

extension HistoryReader {
    /// The transitions on disk in a window of time, in recording order, each with the state before it.
    func transitions(
        from start: Date = .distantPast, to end: Date = .distantFuture
    ) async throws -> [HistoryTransition] {
        try await read { try Queries.transitions($0, after: 0, .max) }.compactMap { event in
            guard case .transition(let transition) = event.content else { return nil }
            return (start..<end).contains(transition.time) ? transition : nil
        }
    }
}

extension Timeline {
    /// The same timeline with at most `maximum` spans.
    func thinned(to maximum: Int) -> Timeline {
        var copy = self
        if spans.count > max(1, maximum) {
            copy.spans = Self.thinned(spans, from: start.milliseconds, to: end.milliseconds, maximum: maximum)
        }
        return copy
    }

    /// The spans in short form: `0 online, 10 offline`, in seconds after the moment.
    var text: String { spans.map { "\(Self.number($0.start)) \($0.state)" }.joined(separator: ", ") }

    static func number(_ time: Date) -> String {
        let seconds = time.timeIntervalSince(Sample.beginning)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}

extension [HistoryTransition] {
    /// The transitions in short form: `0 asleep suspended`.
    var text: String {
        map { transition in
            [Timeline.number(transition.time), transition.state.rawValue, transition.cause?.rawValue]
                .compactMap(\.self).joined(separator: " ")
        }.joined(separator: ", ")
    }
}

/// A directory that is removed with its contents.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "dialtone-history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names of the history files that were set aside.
    func aside() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.contains(".aside-") }.sorted()
    }

    var database: URL { url.appending(path: HistoryLocation.fileName) }
}
