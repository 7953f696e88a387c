// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Dialtone
import NetworkSimulation
import SystemSupport

/// A network in memory, with virtual time: no packet leaves the process, and one of its minutes takes milliseconds.
///
/// ```swift
/// var hotel = NetworkChain.home
/// hotel[.box].passing = [.delays(.seconds(2)), .plays(.portal(.redirect)).only(.tcp)]
/// let network = ScriptedNetwork(hotel)
/// let check = try InternetCheck(over: network.transport)
/// let report = await network.run { await check.run() }
/// ```
///
/// What is lost is decided by a seed, so that a run can be repeated exactly.
public final class ScriptedNetwork: Sendable {
    private struct State {
        /// Each chain and the time of its start, in the order of these times; the first starts at the beginning.
        var chains: [(start: Duration, chain: NetworkChain)]
        var lastNumber: Int32 = 0
    }

    /// The clock, which ``run(_:)`` advances.
    public let clock: TestClock
    /// One view of the clock, because the instants of two have different origins.
    package let time: TimeSource
    private let state: Mutex<State>
    private let seed: UInt64

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - chain: what lies between this machine and the Internet.
    ///   - seed: decides what is lost.
    public init(_ chain: NetworkChain = .home, seed: UInt64 = 1) {
        clock = TestClock()
        time = clock.timeSource
        state = Mutex(State(chains: [(.zero, chain)]))
        self.seed = seed
    }

    /// Replaces the chain, after a time from now, and what was to be played later than that.
    ///
    /// A connection that has been accepted by then keeps its server.
    public func play(_ chain: NetworkChain, after delay: Duration = .zero) {
        let start = elapsed + delay
        state.withLock { state in
            state.chains.removeAll { $0.start >= start }
            state.chains.append((start, chain))
        }
    }

    /// The transport for checks and hosts.
    public var transport: NetworkTransport {
        let chain = chain(at: elapsed)
        let host = NameServiceHost(nameServers: chain.nameServers) { self.lookUp($0, $1) }
        return NetworkTransport(path: chain.path, carriedBy: chain.carriers, resolving: host, over: self)
    }

    /// Runs work, and advances the clock to the next alarm whenever all of the work waits.
    ///
    /// The work and the tasks that it starts as its children run on one thread, in the same order each time.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        await VirtualExecutor(clock).run(work)
    }

    /// Since the network was created.
    var elapsed: Duration { clock.now.offset }

    func chain(at moment: Duration) -> NetworkChain {
        state.withLock { state in (state.chains.last { $0.start <= moment } ?? state.chains[0]).chain }
    }

    func fate(of packet: ScriptedPacket, at moment: Duration) -> PacketFate {
        // Not the order of the packets, which may differ between runs, but each packet and its time.
        var random = SeededGenerator(seed: seed)
        for number in packet.numbers + [UInt64(moment / .nanoseconds(1))] {
            random = SeededGenerator(seed: random.next() ^ number)
        }
        return chain(at: moment).fate(of: packet, &random)
    }

    func newNumber() -> Int32 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    // MARK: The C library

    /// The C library's time for an answer, and the number of times that it asks each server (resolv.conf(5)).
    private static let patience = Duration.seconds(5)
    private static let rounds = 2

    private func lookUp(
        _ name: String, _ family: NetworkAddress.Family
    ) -> (answer: Result<[NetworkAddress], ProbeError>, duration: Duration) {
        var taken = Duration.zero
        var result: Result<[NetworkAddress], ProbeError> = .failure(ProbeError(.nameServerFailure, during: .resolve))
        let servers = chain(at: elapsed).nameServers
        guard let query = NameQuery(name)?.message else {
            return (.failure(ProbeError(.hostNotFound, during: .resolve)), .zero)
        }
        asking: for server in Array(repeating: servers, count: Self.rounds).joined() {
            let fate = fate(
                of: ScriptedPacket(destination: server, port: 53, content: .datagram(query[...])), at: elapsed + taken)
            switch fate.outcome {
            case .reply(_, let answer?):
                taken += fate.delay
                switch answer.kind {
                case .addresses(let addresses):
                    let found = addresses.filter(family.allows)
                    result = found.isEmpty ? .failure(ProbeError(.noAddress, during: .resolve)) : .success(found)
                    break asking
                case .notFound:
                    result = .failure(ProbeError(.hostNotFound, during: .resolve))
                    break asking
                case .serverFailure, .refusal, .silence: break
                }
            case .refused, .notSent: break
            case .noNeighbor: taken += fate.delay
            case .reply, .report, .accepted, .silence: taken += Self.patience
            }
        }
        return (result, taken)
    }
}

extension ScriptedNetwork: SocketRunner {
    package func run<Value: Sendable>(
        _ name: String, _ work: @escaping @Sendable (any NetworkSockets) -> Value
    ) async -> Value? {
        let sockets = ScriptedSockets(self)
        let start = time.now
        let value = work(sockets)
        // Cancelled work ends at once.
        try? await time.sleep(until: start + sockets.elapsed)
        return value
    }
}
#endif
