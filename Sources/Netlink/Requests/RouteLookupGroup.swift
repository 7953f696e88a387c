// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
/// Lookups that are repeated after every change: see `RouteNetlink.repeatLookups`.
///
/// Their requests are encoded once, and an answer with the same bytes as the last one is not parsed again. For a change of
/// the default route, with 15 lookups, this takes 15,000 instructions instead of 75,000.
package struct RouteLookupGroup: Sendable {
    /// An answer that differs from the last one to the same lookup.
    ///
    /// Not a `Result`: with it, the runtime searches the conformance of `Errno` to `Error` before the first path, which
    /// takes 160,000 instructions.
    package enum Answer {
        /// The matching route.
        case route(RouteMessage)
        /// The kernel's error.
        case error(NetlinkError.Errno)
        /// The same answer as the last one to another lookup of the group, as when one default route answers them all.
        case same(as: Int)
    }

    /// The lookups.
    package let lookups: [RouteLookup]
    /// The encoded requests, one after another.
    fileprivate let requests: [UInt8]
    /// The offset of each request.
    fileprivate let offsets: [Int]
    /// The last answers: a slot for each, with the number of bytes in use in `lengths`.
    private var answers: [UInt8]
    /// The length of each last answer; 0 if it must be parsed again in any case.
    private var lengths: [Int]

    /// A longer answer, such as a route with many next hops, is always parsed.
    private static let slot = 128

    /// The most lookups of a group: an exchange has one more request, which waits for the kernel's changes.
    package static let most = RequestSocket.mostAtOnce - 1

    /// Encodes lookups, at most `most`.
    package init(_ lookups: [RouteLookup], flags: RouteMessageFlags = .fibMatch) {
        self.lookups = lookups
        var writer = MessageWriter(capacity: 64 * lookups.count)
        var offsets: [Int] = []
        for lookup in lookups {
            offsets.append(writer.bytes.count)
            writer.begin(.getRoute, flags: [], sequence: 0)
            RouteNetlink.write(lookup, flags: flags, to: &writer)
        }
        // An address is too short to exceed the limit of an attribute.
        requests = (try? writer.finish()) ?? []
        self.offsets = offsets
        answers = [UInt8](repeating: 0, count: Self.slot * lookups.count)
        lengths = [Int](repeating: 0, count: lookups.count)
    }

    /// Returns whether an answer has the same bytes as the last one to a lookup.
    func isLast(_ place: Int, _ decisive: RawSpan) -> Bool {
        let length = lengths[place]
        guard length > 0, length == decisive.byteCount else { return false }
        let start = Self.slot * place
        // Every bit pattern of UInt8 is a byte; the span cannot outlive the array.
        return unsafe answers.span.bytes.extracting(start..<start + length).isEqual(to: decisive)
    }

    mutating func remember(_ place: Int, _ decisive: RawSpan) {
        guard decisive.byteCount <= Self.slot else { return forget(place) }
        lengths[place] = decisive.byteCount
        let start = Self.slot * place
        // The slot is long enough, by the guard above.
        unsafe decisive.withUnsafeBytes { decisive in
            unsafe answers.withUnsafeMutableBytes { unsafe $0[start...].copyBytes(from: decisive) }
        }
    }

    mutating func forget(_ place: Int) { lengths[place] = 0 }
}

extension RouteNetlink {
    /// Repeats the lookups of some groups, in as few exchanges as possible, and reports the answers that have changed.
    ///
    /// - Parameters:
    ///   - selected: the indices of the groups to look up.
    ///   - groups: all groups.
    ///   - areSettled: whether to wait first for every change that the kernel has in progress. It announces some changes
    ///     before it makes them, and flushes IPv4 routes silently. The exchange then starts with a request that takes the
    ///     kernel's configuration lock.
    ///   - changed: receives each answer that differs from the last one. It returns whether the same bytes will have
    ///     the same meaning next time, so that they need not be reported again.
    package mutating func repeatLookups(
        _ selected: [Int], of groups: inout [RouteLookupGroup], areSettled: Bool,
        changed: (_ group: Int, _ place: Int, RouteLookupGroup.Answer) throws(NetlinkError) -> Bool
    ) throws(NetlinkError) {
        var rest = selected[...]
        var mustSettle = areSettled
        while !rest.isEmpty || mustSettle {
            let chunk = Self.chunk(of: rest, groups)
            rest = rest.dropFirst(chunk.count)
            let first = mustSettle ? 1 : 0
            mustSettle = false
            try socket.exchangeAll(
                first + chunk.reduce(0) { $0 + groups[$1].lookups.count }, operation: "RTM_GETROUTE"
            ) { sequence, datagram in
                if first == 1 { Self.writeSettlement(to: &datagram, sequence: sequence) }
                var next = sequence &+ UInt32(first)
                for group in chunk {
                    // Not a method of the group, whose call would first retain all of its arrays.
                    let start = datagram.count
                    datagram.append(contentsOf: groups[group].requests)
                    MessageHeader.write(sequencesFrom: next, to: &datagram, at: groups[group].offsets, from: start)
                    next &+= UInt32(groups[group].lookups.count)
                }
            } answer: { (place, header, payload) throws(NetlinkError) in
                var place = place - first
                guard place >= 0, let group = Self.find(&place, in: chunk, groups) else { return }
                try Self.receive(header, payload, &groups[group], place) { (answer) throws(NetlinkError) in
                    try changed(group, place, answer)
                }
            }
        }
    }

    /// Returns as many groups as one exchange may have.
    private static func chunk(of groups: ArraySlice<Int>, _ all: [RouteLookupGroup]) -> ArraySlice<Int> {
        var count = 0
        return groups.prefix { group in
            count += all[group].lookups.count
            return count <= RouteLookupGroup.most
        }
    }

    /// Returns the group of the request with an index, and makes that an index within the group.
    private static func find(_ place: inout Int, in chunk: ArraySlice<Int>, _ groups: [RouteLookupGroup]) -> Int? {
        for group in chunk {
            if place < groups[group].lookups.count { return group }
            place -= groups[group].lookups.count
        }
        return nil
    }

    private static func receive(
        _ header: MessageHeader, _ payload: RawSpan, _ group: inout RouteLookupGroup, _ place: Int,
        changed: (RouteLookupGroup.Answer) throws(NetlinkError) -> Bool
    ) throws(NetlinkError) {
        guard header.type == .error || header.type == .newRoute else { return }
        // After its number, an error repeats the request with its sequence number. A route is longer than the number.
        let decisive = header.type == .error ? payload.extracting(first: 4) : payload
        if group.isLast(place, decisive) { return }
        group.forget(place)
        let isTheSameNextTime: Bool
        // No variable holds the answer: the bits of its case would be set in a byte that is not initialized, which valgrind reports.
        if place > 0, group.isLast(place - 1, decisive) {
            isTheSameNextTime = try changed(.same(as: place - 1))
        } else if header.type == .error {
            let status: Int32 = try payload.integer(at: 0)
            guard status != 0 else { return }
            isTheSameNextTime = try changed(.error(NetlinkError.Errno(rawValue: 0 &- status)))
        } else {
            isTheSameNextTime = try changed(.route(try RouteMessage(payload)))
        }
        if isTheSameNextTime { group.remember(place, decisive) }
    }
}
#endif
