// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Connects to the addresses of one host as ``ConnectionRace`` does, on the calling thread.
struct SocketRace<Failure: ConnectionFailure> {
    typealias Ending = ConnectionRace<Failure>.Ending

    private struct Running {
        let address: NetworkAddress
        let socket: any NetworkSocket
        let since: Duration
    }

    private let sockets: any NetworkSockets
    private let port: UInt16
    private let start: ContinuousClock.Instant
    private let open: (NetworkAddress) throws(Failure) -> any NetworkSocket
    /// The names to resolve, and the times.
    private var resolutions: [Resolution]
    private var schedule: HappyEyeballs
    private var firstAttempt: Duration?
    private var running: [Running] = []
    private var attempts: [ConnectionRace<Failure>.Attempt] = []
    private var winner: (any NetworkSocket)?

    /// The addresses of one IP version, and the time after which they are known.
    typealias Resolution = (version: IPVersion, addresses: [NetworkAddress], after: Duration)

    /// Connects to one of several addresses, given in order of preference.
    ///
    /// Returns at the deadline at the latest, and at once if the work must end.
    ///
    /// - Parameters:
    ///   - addresses: all addresses of one host.
    ///   - port: the TCP port.
    ///   - pace: the delays between attempts, and the deadline.
    ///   - sockets: waits for the sockets.
    ///   - open: opens a socket for an address.
    /// - Returns: how it ended, and whether the work must end.
    static func run(
        _ addresses: [NetworkAddress], port: UInt16, pace: HappyEyeballs.Pace, _ sockets: any NetworkSockets,
        open: @escaping (NetworkAddress) throws(Failure) -> any NetworkSocket
    ) -> (ending: Ending, isInterrupted: Bool) {
        let preferred = addresses.first?.version ?? .ipv6
        let versions = preferred == .ipv6 ? [IPVersion.ipv6, .ipv4] : [.ipv4, .ipv6]
        return run(
            versions.map { version in (version, addresses.filter { $0.version == version }, .zero) },
            preferred: preferred,
            port: port, pace: pace, sockets, open: open)
    }

    /// Connects to one of the addresses of both IP versions, as they become known.
    static func run(
        _ resolutions: [Resolution], preferred: IPVersion, port: UInt16, pace: HappyEyeballs.Pace,
        _ sockets: any NetworkSockets, open: @escaping (NetworkAddress) throws(Failure) -> any NetworkSocket
    ) -> (ending: Ending, isInterrupted: Bool) {
        var race = Self(
            sockets: sockets, port: port, start: sockets.time.now, open: open, resolutions: resolutions,
            schedule: HappyEyeballs(families: Set(resolutions.map(\.version)), preferred: preferred, pace: pace))
        race.resolve()
        return race.run()
    }

    private var elapsed: Duration { start.duration(to: sockets.time.now) }

    private mutating func run() -> (Ending, Bool) {
        while let deadline = schedule.deadline {
            let next = min(deadline, resolutions.map(\.after).min() ?? deadline)
            let wait = sockets.wait(readable: [], writable: running.map(\.socket), until: start + next)
            if wait.outcome == .interrupted { return (ending(.timedOut), true) }
            // What ended in time counts, even if the thread runs late: of that, connections first.
            let ended = running.filter { wait.ready.contains($0.socket.number) }
                .map { ($0, $0.socket.pendingFailure) }.sorted { $0.1 == nil && $1.1 != nil }
            for (attempt, failure) in ended where schedule.outcome == nil {
                end(attempt, failure.map { .failure(Failure(connecting: $0)) } ?? .success(attempt.socket))
            }
            resolve()
            if ended.isEmpty { handle(.timePassed) }
        }
        return (ending(schedule.outcome ?? .failed), false)
    }

    /// Handles what is resolved by now.
    private mutating func resolve() {
        let now = elapsed
        let known = resolutions.filter { $0.after <= now }
        resolutions.removeAll { $0.after <= now }
        for (version, addresses, _) in known { handle(.resolved(version, addresses)) }
    }

    private mutating func handle(_ event: HappyEyeballs.Event) {
        let now = elapsed
        if let address = schedule.handle(event, at: now) { attempt(address, at: now) }
    }

    /// - Parameter now: the time by which the next attempt is scheduled.
    private mutating func attempt(_ address: NetworkAddress, at now: Duration) {
        firstAttempt = firstAttempt ?? now
        do throws(Failure) {
            let socket = try open(address)
            do throws(SystemError) {
                try socket.startConnecting(to: address, port: port)
            } catch {
                throw Failure(connecting: error)
            }
            running.append(Running(address: address, socket: socket, since: now))
        } catch {
            attempts.append(.init(address: address, result: .failure(error), duration: elapsed - now))
            handle(.failed(address))
        }
    }

    private mutating func end(_ attempt: Running, _ result: Result<any NetworkSocket, Failure>) {
        running.removeAll { $0.address == attempt.address }
        attempts.append(
            .init(
                address: attempt.address, result: result.map { _ in }, duration: elapsed - attempt.since,
                packets: attempt.socket.packetCounts))
        switch result {
        case .success(let socket):
            winner = socket
            handle(.connected(attempt.address))
        case .failure: handle(.failed(attempt.address))
        }
    }

    private func ending(_ outcome: HappyEyeballs.Outcome) -> Ending {
        let now = elapsed
        let abandoned = running.map {
            ConnectionRace<Failure>.Attempt(
                address: $0.address, result: nil, duration: now - $0.since, packets: $0.socket.packetCounts)
        }
        return Ending(
            outcome: outcome, socket: winner, attempts: attempts + abandoned,
            connecting: firstAttempt.map { now - $0 } ?? .zero)
    }
}
