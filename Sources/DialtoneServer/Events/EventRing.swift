// SPDX-License-Identifier: Apache-2.0

/// The latest events, from which reconnecting listeners catch up.
///
/// A value without I/O. Its memory is bounded by a number of events and a number of bytes.
struct EventRing: Sendable {
    /// One event in its wire format.
    struct Event: Hashable, Sendable {
        /// The event's number, counted from 1.
        let number: UInt64
        /// The lines of the event, including the empty line that ends it.
        let bytes: [UInt8]
    }

    private let capacity: Int
    private let byteCapacity: Int
    private let series: String
    private var events: [Event] = []
    private var byteCount = 0
    /// The number of the latest event; 0 before the first.
    private(set) var latest: UInt64 = 0

    /// Creates an empty ring.
    ///
    /// - Parameters:
    ///   - series: a string unique to this run of the server, so that event numbers of another run are not mistaken for
    ///     its own.
    ///   - capacity: the maximum number of events.
    ///   - byteCapacity: the maximum number of bytes of all events.
    init(series: String, capacity: Int = 256, byteCapacity: Int = 1_048_576) {
        self.series = series
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    mutating func append(_ name: String, _ data: String) {
        latest += 1
        let event = Event(number: latest, bytes: EventText.event(name, data, id: identifier(latest)))
        events.append(event)
        byteCount += event.bytes.count
        while events.count > capacity || (byteCount > byteCapacity && events.count > 1) {
            byteCount -= events.removeFirst().bytes.count
        }
    }

    /// The next event after a number, if there is one, or that it is no longer in the ring.
    func next(after number: UInt64) -> EventHub.WakeReason {
        if number == latest { return .quiet }
        guard number < latest, let first = events.first, first.number <= number + 1 else { return .tooLate }
        return .event(events[Int(number + 1 - first.number)])
    }

    /// The number in a `Last-Event-ID`; nil if it is malformed or belongs to another run.
    func number(of identifier: String) -> UInt64? {
        let parts = identifier.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == series, let number = UInt64(parts[1]), number <= latest else { return nil }
        return number
    }

    func identifier(_ number: UInt64) -> String { "\(series)-\(number)" }
}
