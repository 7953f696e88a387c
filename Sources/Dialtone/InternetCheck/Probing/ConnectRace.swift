//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// Connects to the first address of a host that answers (RFC 8305).
///
/// Each next address is tried 250 ms after the one before, or at once when that failed; IPv6 and IPv4 take turns.
struct ConnectRace {
    /// No address could be connected to; the last one tried, or the one whose failure says most.
    struct Lost: Error {
        let error: ProbeError
        let address: HostAddress?
    }

    private static let stagger = Duration.milliseconds(250)
    /// More addresses than this are not worth a verdict's time.
    private static let most = 8

    let port: UInt16
    let binding: InternetCheck.Configuration.Binding
    let deadline: ContinuousClock.Instant
    let interrupt: Interrupt

    private struct Attempt {
        let socket: SocketDescriptor
        let address: HostAddress
    }

    func run(_ addresses: [HostAddress]) throws(Lost) -> (socket: SocketDescriptor, address: HostAddress) {
        var left = Self.takingTurns(addresses).prefix(Self.most)
        var open: [Attempt] = []
        var failures: [Lost] = []
        var nextStart = ContinuousClock.now
        while true {
            if !left.isEmpty, open.isEmpty || nextStart <= .now {
                let address = left.removeFirst()
                do throws(ProbeError) {
                    open.append(Attempt(socket: try start(address), address: address))
                    nextStart = .now + Self.stagger
                } catch {
                    failures.append(Lost(error: error, address: address))
                    if error.isInability, error.code == .noResources { throw Self.worst(failures) }
                }
                continue
            }
            guard !open.isEmpty else { throw Self.worst(failures) }
            let isLast = left.isEmpty || deadline < nextStart
            let wait = Polling.wait(
                writable: open.map(\.socket.number), until: isLast ? deadline : nextStart, interrupt)
            switch wait.outcome {
            case .interrupted: throw Lost(error: .connecting(.cancelled), address: open.last?.address)
            case .timedOut where isLast: throw Lost(error: .connecting(.timedOut), address: open.last?.address)
            case .timedOut: break
            case .ready:
                for attempt in open where wait.ready.contains(attempt.socket.number) {
                    guard let failure = Sockets.pendingFailure(attempt.socket) else {
                        return (attempt.socket, attempt.address)
                    }
                    failures.append(Lost(error: .connecting(failure), address: attempt.address))
                    nextStart = .now
                }
                open.removeAll { wait.ready.contains($0.socket.number) }
            }
        }
    }

    private func start(_ address: HostAddress) throws(ProbeError) -> SocketDescriptor {
        let socket = try Self.translating { () throws(SocketFailure) in
            try Sockets.openSocket(address.version, .stream)
        }
        try bind(socket, for: address)
        try Self.translating { () throws(SocketFailure) in
            try Sockets.startConnecting(socket, to: address, port: port)
        }
        return socket
    }

    static func translating<Value>(_ body: () throws(SocketFailure) -> Value) throws(ProbeError) -> Value {
        do { return try body() } catch { throw .connecting(error) }
    }

    /// The failure that says most: an answer of the host before the lack of a way to it.
    private static func worst(_ failures: [Lost]) -> Lost {
        let order: [ProbeError.Code] = [
            .noResources, .notPermitted, .refused, .connectionLost, .timedOut, .unreachable,
        ]
        let ranked = failures.map { (order.firstIndex(of: $0.error.code) ?? order.count, $0) }
        return ranked.min { $0.0 < $1.0 }?.1 ?? Lost(error: .connecting(.noAddress), address: nil)
    }

    /// The addresses in their order, but one of either version at a time.
    static func takingTurns(_ addresses: [HostAddress]) -> [HostAddress] {
        guard let first = addresses.first?.version else { return [] }
        let same = addresses.filter { $0.version == first }
        let other = addresses.filter { $0.version != first }
        return (0..<max(same.count, other.count)).flatMap { index in
            [same, other].compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }
}

#endif
