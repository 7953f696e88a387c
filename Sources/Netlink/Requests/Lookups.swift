// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
extension RouteNetlink {
    /// Performs several lookups in one exchange, at once and without the kernel's configuration lock.
    ///
    /// While the kernel is making a change, the answers may reflect the state before it; the announcement follows.
    ///
    /// - Returns: for each lookup the matching route, or the kernel's error.
    public mutating func routes(
        _ lookups: [RouteLookup]
    ) throws(NetlinkError) -> [Result<RouteMessage, NetlinkError.Errno>] {
        var answers = try answers(to: lookups, flags: .fibMatch)
        // Some kernels, such as gVisor's, only support looking up the path. A kernel without IPv6 rejects that as well.
        let refused = answers.indices.filter {
            if case .failure(.notSupported) = answers[$0] { true } else { false }
        }
        guard !refused.isEmpty else { return answers }
        let paths = try paths(refused.map { lookups[$0] })
        for (place, path) in zip(refused, paths) { answers[place] = path }
        return answers
    }

    /// - Parameter areSettled: whether to look up after every change that the kernel has in progress.
    package mutating func answers(
        to lookups: [RouteLookup], flags: RouteMessageFlags, areSettled: Bool = false
    ) throws(NetlinkError) -> [Result<RouteMessage, NetlinkError.Errno>] {
        let most = RouteLookupGroup.most
        var groups = stride(from: 0, to: lookups.count, by: most).map { start in
            RouteLookupGroup(Array(lookups[start..<min(start + most, lookups.count)]), flags: flags)
        }
        var answers = [Result<RouteMessage, NetlinkError.Errno>](
            repeating: .failure(.networkUnreachable), count: lookups.count)
        try repeatLookups(Array(groups.indices), of: &groups, areSettled: areSettled) { group, place, answer in
            switch answer {
            case .route(let route): answers[group * most + place] = .success(route)
            case .error(let errno): answers[group * most + place] = .failure(errno)
            case .same(let other): answers[group * most + place] = answers[group * most + other]
            }
            return false
        }
        return answers
    }

    /// Performs several lookups, each for the path to the address instead of the route that matched.
    ///
    /// - Returns: for each lookup the path, or the kernel's error.
    package mutating func paths(
        _ lookups: [RouteLookup]
    ) throws(NetlinkError) -> [Result<RouteMessage, NetlinkError.Errno>] {
        try answers(to: lookups, flags: [])
    }

    /// Appends a request for a link that does not exist: it takes the kernel's configuration lock, and its answer is short.
    static func writeSettlement(to datagram: inout [UInt8], sequence: UInt32) {
        let start = datagram.count
        datagram.append(contentsOf: settlement)
        MessageHeader.write(sequencesFrom: sequence, to: &datagram, at: [0], from: start)
    }

    private static let settlement: [UInt8] = {
        var writer = MessageWriter(.getLink, flags: [], sequence: 0)
        writeLinkHeader(&writer, index: .max)
        return (try? writer.finish()) ?? []
    }()

    package static func write(_ lookup: RouteLookup, flags: RouteMessageFlags, to writer: inout MessageWriter) {
        // IPv6 always names the table, and rejects the flag.
        let flags = lookup.destination.family == .ipv4 ? flags.union(.lookupTable) : flags
        writeRouteHeader(
            &writer, family: lookup.destination.family, destinationLength: UInt8(lookup.destination.bitCount),
            sourceLength: lookup.source.map { UInt8($0.bitCount) } ?? 0, flags: flags.rawValue)
        writer.attribute(RouteMessage.Attribute.destination.rawValue, lookup.destination)
        if let source = lookup.source { writer.attribute(RouteMessage.Attribute.source.rawValue, source) }
        if let interface = lookup.interface { writer.attribute(RouteMessage.Attribute.outgoing.rawValue, interface) }
        if let mark = lookup.mark { writer.attribute(RouteMessage.RequestAttribute.mark, mark) }
    }
}
#endif
