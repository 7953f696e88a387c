//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The latest events, from which those who were away catch up.
///
/// A value without I/O. Its memory is bounded by a number of events and a number of bytes.
struct EventRing: Sendable {
    /// One event, as it is sent.
    struct Event: Hashable, Sendable {
        /// Counted from 1.
        let number: UInt64
        /// Its lines, with the empty one that ends it.
        let bytes: [UInt8]
    }

    /// What somebody gets who has seen events up to some number.
    enum Catch: Hashable, Sendable {
        /// These follow.
        case events(ArraySlice<Event>)
        /// What follows is no longer there: start from the present.
        case tooLate
    }

    private let capacity: Int
    private let byteCapacity: Int
    private let series: String
    private var events: [Event] = []
    private var byteCount = 0
    /// The number of the latest event; 0 before the first.
    private(set) var latest: UInt64 = 0

    /// Makes an empty ring.
    ///
    /// - Parameters:
    ///   - series: a word that no other run of the server has, so that its numbers are not taken for this one's.
    ///   - capacity: how many events are kept.
    ///   - byteCapacity: how many bytes of them.
    init(series: String, capacity: Int = 256, byteCapacity: Int = 1_048_576) {
        self.series = series
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    /// Adds an event.
    mutating func append(_ name: String, _ data: String) {
        latest += 1
        let event = Event(number: latest, bytes: EventText.event(name, data, id: identifier(latest)))
        events.append(event)
        byteCount += event.bytes.count
        while events.count > capacity || (byteCount > byteCapacity && events.count > 1) {
            byteCount -= events.removeFirst().bytes.count
        }
    }

    /// What follows an event.
    func after(_ number: UInt64) -> Catch {
        if number == latest { return .events([]) }
        guard number < latest, let first = events.first, first.number <= number + 1 else { return .tooLate }
        return .events(events[Int(number + 1 - first.number)...])
    }

    /// The number in a `Last-Event-ID`; nil for one of another run, or none.
    func number(of identifier: String) -> UInt64? {
        let parts = identifier.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == series, let number = UInt64(parts[1]), number <= latest else { return nil }
        return number
    }

    /// The identifier of an event.
    func identifier(_ number: UInt64) -> String { "\(series)-\(number)" }
}
