// SPDX-License-Identifier: Apache-2.0

/// Which packets are answered from beyond the router on one network, and from which addresses.
///
/// It is learnt while the Internet is verified, because silence of a packet that was never answered proves nothing. A means
/// counts only if an address that no host has is silent at the same time: some boxes accept every connection, and some routers
/// answer every query.
struct HeartbeatChannels: Sendable {
    /// A question about the hop beyond the router: a means and an address.
    typealias Channel = HeartbeatQuestion

    private let addresses: [NetworkAddress]
    /// Addresses to which connections have succeeded, for a network on which nothing else answers.
    var reached: [NetworkAddress] = []
    /// The channels that were answered, with the latest round trips.
    private var roundTrips: [Channel: Duration] = [:]
    /// The channels that were not.
    private var silent: Set<Channel> = []
    /// The means that something nearby answers for, or that answered although nothing beyond the router did.
    private var refused: Set<HeartbeatQuestion.Means> = []
    /// The channels that were answered before the network changed, which may be the same one: an answer shows that an outage may
    /// have ended, silence proves nothing.
    private var former: Set<Channel> = []
    private var turn = 0

    /// The means beyond the router; the last one costs the most packets.
    private static let means: [HeartbeatQuestion.Means] = [.echo, .query, .datagram, .connection]
    /// The number of means to learn, so that a missed beat can be repeated by another.
    private static let wanted = 2
    /// The means for other addresses, which are no name servers.
    private static let meansForReached: [HeartbeatQuestion.Means] = [.echo, .connection]
    /// The bounds of the time for which an answer is awaited; the upper one grows with longer round trips.
    static let patience = (least: Duration.seconds(1), most: Duration.seconds(1.25))
    /// The time for which the answer of an address that was never answered is awaited, as long as none is known.
    static let learningPatience = Duration.seconds(2)
    /// The number of operators to ask in a round.
    private static let operators = 3

    init(_ addresses: [NetworkAddress]) { self.addresses = addresses }

    /// What is known where nothing has been learnt yet, after another network.
    init(_ addresses: [NetworkAddress], after other: Self) {
        self.addresses = addresses
        reached = other.reached
        former = other.former.union(other.roundTrips.keys).filter { (addresses + reached).contains($0.address) }
    }

    /// The means that are answered.
    var proven: [HeartbeatQuestion.Means] {
        Self.means.filter { means in roundTrips.contains { $0.key.means == means } }
    }

    /// The means to ask by: those that are answered, or that were before the network changed.
    var usable: [HeartbeatQuestion.Means] {
        let proven = proven
        return proven.isEmpty ? Self.means.filter { means in former.contains { $0.means == means } } : proven
    }

    func isProven(_ channel: Channel) -> Bool { roundTrips[channel] != nil }

    /// The time for which an answer is awaited; an address that was never answered is as far as the others.
    func patience(_ channel: Channel) -> Duration {
        (roundTrips[channel] ?? roundTrips.values.max()).map(Self.patience) ?? Self.learningPatience
    }

    /// The longest time for which an answer of a known channel is awaited; nil without one.
    var longestPatience: Duration? { roundTrips.values.max().map(Self.patience) }

    private static func patience(_ roundTrip: Duration) -> Duration {
        min(max(roundTrip * 4, patience.least), max(patience.most, roundTrip * 1.25))
    }

    /// The channel to try next; nil if enough is known.
    var candidate: Channel? {
        let proven = proven
        guard proven.count < Self.wanted else { return nil }
        let isWanted = { (means: HeartbeatQuestion.Means) in
            !proven.contains(means) && !refused.contains(means) && (means != .connection || proven.isEmpty)
        }
        func first(_ means: [HeartbeatQuestion.Means], _ addresses: ArraySlice<NetworkAddress>) -> Channel? {
            means.lazy.filter(isWanted).flatMap { means in addresses.lazy.map { Channel(.beyond, means, $0) } }
                .first { !silent.contains($0) }
        }
        guard proven.isEmpty else { return first(Self.means, addresses[...]) }
        // Two operators first: where the network blocks them, it blocks the others, and each silence takes two seconds.
        return first([.echo, .query], addresses.prefix(2)) ?? first([.echo], reached[...])
            ?? first(Self.means, addresses[...]) ?? first(Self.meansForReached, reached[...])
    }

    mutating func answer(_ channel: Channel, after roundTrip: Duration) {
        guard !refused.contains(channel.means) else { return }
        roundTrips[channel] = roundTrip
        silent.remove(channel)
    }

    /// Notes that a channel that was never answered is silent.
    mutating func ignore(_ channel: Channel) {
        if !proven.isEmpty || !former.contains(channel) { silent.insert(channel) }
    }

    /// Notes that the answers of a means prove nothing on this network.
    mutating func refuse(_ means: HeartbeatQuestion.Means) {
        refused.insert(means)
        roundTrips = roundTrips.filter { $0.key.means != means }
        former = former.filter { $0.means != means }
    }

    /// Forgets which channels are silent, because packets may have been lost.
    ///
    /// - Parameter forgetsRefusals: whether it also forgets which means are refused, if no other is left.
    mutating func forgetSilence(andRefusals forgetsRefusals: Bool) {
        silent = []
        if forgetsRefusals, proven.isEmpty { refused = [] }
    }

    /// Forgets which channels were answered: they are silent while a check passes, or were answered on another network.
    mutating func forgetAnswers() {
        roundTrips = [:]
        silent = []
        former = []
    }

    /// The channel of the next beat: the cheapest means, with each operator's address in turn; nil without one.
    mutating func next() -> Channel? {
        guard let means = usable.first else { return nil }
        let known = reached.map { Channel(.beyond, means, $0) }.filter { isProven($0) || former.contains($0) }
        let others = addresses.map { Channel(.beyond, means, $0) }.filter { !silent.contains($0) }
        // Where those of endpoints alone are answered, the others are blocked.
        let channels = known.contains(where: isProven) && !others.contains(where: isProven) ? known : others + known
        guard !channels.isEmpty else { return nil }
        defer { turn += 1 }
        return channels[turn % channels.count]
    }

    /// The operators whose addresses were answered.
    var operators: Set<NetworkAddress> { Set(roundTrips.keys.map(\.operatorAddress)) }

    /// The channels by which to learn which other operators answer to a means that is answered.
    func others(_ channel: Channel) -> [Channel] {
        var known = operators
        let all = reached.contains(channel.address) ? reached : addresses
        return all.filter { $0.version == channel.address.version }.map { Channel(.beyond, channel.means, $0) }
            .filter {
                !silent.contains($0) && known.count < Self.operators && known.insert($0.operatorAddress).inserted
            }
    }

    /// The channels of a round after a missed beat: one for each operator that was answered, by another means if one is answered.
    func round(after missed: Channel) -> [Channel] {
        var asked: Set<NetworkAddress> = []
        return roundTrips.keys.sorted { rank($0, missed) > rank($1, missed) }
            .filter { asked.count < Self.operators && asked.insert($0.operatorAddress).inserted }
    }

    /// The channel that repeats a missed beat: by another means, if one is answered, and at another address.
    func alternative(to missed: Channel) -> Channel? {
        let others = roundTrips.keys.filter { $0 != missed }
        return others.max { rank($0, missed) < rank($1, missed) } ?? (isProven(missed) ? missed : nil)
    }

    private func rank(_ channel: Channel, _ missed: Channel) -> Int {
        // The place makes the order definite.
        (channel.means == missed.means ? 0 : 200) + (channel.address == missed.address ? 0 : 100)
            - ((addresses + reached).firstIndex(of: channel.address) ?? 0)
    }
}

extension HeartbeatQuestion {
    /// The first address of the operator.
    fileprivate var operatorAddress: NetworkAddress { Self.operatorAddress(of: address) }
}
