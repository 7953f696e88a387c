// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Determines whether a host's large packets are lost on their way to this machine, without a report to the host: an MTU
/// black hole.
///
/// It makes two TLS handshakes with one address at the same time, one of which limits the host's segments to 536 bytes, and
/// does so twice.
struct LargePacketProbe: Sendable {
    /// The conclusion from the handshakes.
    enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// Both handshakes with small segments were completed, both with large ones stalled.
        case lost
        /// A handshake with large segments was completed.
        case arrive
        /// Neither is proven.
        case unclear
    }

    /// The name to send in the handshake, or a numeric address; any certificate is accepted.
    let host: String
    /// An address of the host.
    let address: NetworkAddress
    /// The port of a TLS server.
    var port: UInt16 = 443
    /// The interface or address that the sockets are bound to.
    var binding = InternetCheck.Configuration.Binding.none
    var runner: any SocketRunner = KernelSocketRunner()

    /// The time in which a stalled handshake shows that packets are lost.
    static let duration = Duration.seconds(4)

    /// Runs the handshakes.
    ///
    /// - Parameter patience: the time limit of all of them together.
    /// - Returns: `unclear` if the task is cancelled, and if this system has no TLS.
    func run(within patience: Duration = Self.duration) async -> Outcome {
        #if canImport(Darwin)
        return .unclear
        #else
        let time = runner.time
        let start = time.now
        return await withTaskGroup(of: (isLimited: Bool, end: HandshakeEnd).self) { group in
            for round in [Duration.zero, Self.pause] {
                for isLimited in [true, false] {
                    group.addTask {
                        try? await time.sleep(until: start + round)
                        var end: HandshakeEnd?
                        for _ in 0..<Self.attempts where end == nil || end == .repeated {
                            end = await runner.run("dialtone.hops") {
                                handshake(isLimited: isLimited, until: start + patience - Self.pause + round, $0)
                            }
                        }
                        return (isLimited, end ?? .failed)
                    }
                }
            }
            for await (isLimited, end) in group {
                // Each of them has to end in one way for large packets to be lost.
                guard end == (isLimited ? .completed : .stalled) else {
                    group.cancelAll()
                    return isLimited || end == .failed ? .unclear : .arrive
                }
            }
            return .lost
        }
        #endif
    }

    #if !canImport(Darwin)
    /// The time between the two rounds, so that one burst of lost packets does not affect both.
    private static let pause = Duration.milliseconds(500)
    /// The largest segments of a limited connection, which every network carries (RFC 9293, section 3.7.1).
    private static let smallSegment: Int32 = 536

    /// The number of handshakes with small segments that are tried in one round: after a pause of this machine, the kernel sends
    /// again what was not lost.
    private static let attempts = 3

    private enum HandshakeEnd {
        /// The server sent all of its part.
        case completed
        /// It was completed with small segments, but a packet had to be sent again.
        case repeated
        /// The server received the client's part, and its own did not arrive in time.
        case stalled
        /// There was no connection, the client's part was not answered in the end, or the server sent something else.
        case failed
    }

    private func handshake(
        isLimited: Bool, until deadline: ContinuousClock.Instant, _ network: any NetworkSockets
    ) -> HandshakeEnd {
        do {
            let socket = try ProbeSocket(network, binding).open(for: address)
            if isLimited { try socket.set(.segmentLimit(Self.smallSegment)) }
            try socket.startConnecting(to: address, port: port)
            let wait = network.wait(readable: [], writable: [socket], until: deadline)
            guard [.ready, .late].contains(wait.outcome), socket.pendingFailure == nil else { return .failed }
            let stream = ByteStream(socket, network)
            defer { stream.end() }
            do throws(ByteStream.Failure) {
                try stream.start(clientOf: host, acceptsAnyCertificate: true, until: deadline)
                // Where small packets are lost, large ones are lost for the same reason.
                return socket.packetCounts?.repeated == 0 || !isLimited ? .completed : .repeated
            } catch .timedOut {
                return socket.packetCounts?.pending == 0 ? .stalled : .failed
            } catch {
                return .failed
            }
        } catch {
            return .failed
        }
    }
    #endif
}
