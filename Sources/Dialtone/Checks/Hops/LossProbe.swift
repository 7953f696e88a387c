// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Measures the share of packets that are lost on the way to an address that accepts connections, and finds out whether
/// something accepts them in its place.
///
/// It starts many connections, one after the other, and counts those whose first packet is answered, as the kernel counts packets. A
/// packet is lost only if a later one was answered: on a slow line, answers are late in the order of their packets. Over some
/// connections it sends a TLS greeting, to which every server sends something.
struct LossProbe: Sendable {
    /// The conclusion from the connections.
    struct Outcome: Hashable, Sendable {
        /// The loss; nil if it cannot be measured, because too few answers come in time, connections fail, or the system does not
        /// count packets.
        var loss: PacketLoss?
        /// The loss if all packets without an answer in time were lost; nil if the loss is measured, or connections fail.
        var lossAtMost: PacketLoss?
        /// Whether connections are accepted, and no bytes ever come back over them.
        var isMute = false
        /// Whether bytes have come back over one of them.
        var isAnswered = false
    }

    /// An address that has accepted a connection.
    let address: NetworkAddress
    /// The port that has accepted it.
    let port: UInt16
    /// The interface or address that the sockets are bound to.
    var binding = InternetCheck.Configuration.Binding.none
    var runner: any SocketRunner = KernelSocketRunner()

    static let connections = 32
    /// The number of connections without an answer after which no other starts: where answers are late or lost, they are enough.
    private static let mostOpen = 24
    /// The number of connections that show a loss: so many started before the last one that was answered.
    ///
    /// Fewer show one if most of them were not answered.
    private static let leastConnections = 8
    /// The time from one connection to the next, so that one burst of lost packets does not affect all.
    private static let interval = Duration.milliseconds(20)
    /// The time after which either side repeats its first packet of a connection (RFC 6298).
    private static let repetition = Duration.seconds(1)
    /// The time for an answer.
    private static let patience = repetition - .milliseconds(100)
    /// The number of connections without a reaction to a greeting that show that no server has accepted them.
    private static let muteConnections = 8
    /// Where answers take longer than this, late ones cannot be distinguished from lost ones.
    static let longestRoundTrip = Duration.milliseconds(450)
    /// The number of slow answers that show a slow line; fewer may be those of a busy machine.
    private static let slowAnswers = 4
    /// The time in which connections start, and the time for all.
    private static let startTime = interval * (2 * connections)
    static let duration = startTime + patience + .milliseconds(50)

    func run() async -> Outcome {
        #if canImport(Darwin)
        return Outcome()
        #else
        return await runner.run("dialtone.hops") { run($0) } ?? Outcome()
        #endif
    }

    #if !canImport(Darwin)
    private func run(_ network: any NetworkSockets) -> Outcome {
        let start = network.time.now
        var machine = Machine()
        // Those that may be accepted.
        var sockets: [Int: any NetworkSocket] = [:]
        var greeted: [any NetworkSocket] = []
        var now = Duration.zero
        while !machine.isOver(at: now) {
            if machine.startsConnection(at: now) {
                do {
                    let socket = try ProbeSocket(network, binding).open(for: address)
                    try socket.startConnecting(to: address, port: port)
                    sockets[machine.started] = socket
                } catch {
                    return Outcome()
                }
                machine.handle(.started, at: now)
            }
            if network.wait(until: network.time.now + Self.interval) == .interrupted { return Outcome() }
            // Later events are read once more.
            now = network.time.now - start
            for (place, socket) in sockets.sorted(by: { $0.key < $1.key }) {
                guard let counts = socket.packetCounts, counts.answered > 0 else { continue }
                machine.handle(.accepted(place, counts), at: now)
                sockets[place] = nil
                guard machine.sendsGreeting, (try? socket.send(TLSGreeting.bytes[...])) != nil else { continue }
                greeted.append(socket)
                machine.handle(.greeted, at: now)
            }
            for socket in greeted where machine.isMute {
                if case .answer? = HopSockets<Int>.answer(over: socket) { machine.handle(.answered, at: now) }
            }
        }
        return sockets.values.allSatisfy { $0.pendingFailure == nil } ? machine.outcome : Outcome()
    }

    /// When connections start, which of them are greeted, and what their answers show: a value on the caller's clock, which
    /// starts at zero.
    struct Machine: Sendable {
        /// An event of the connections.
        enum Event: Hashable, Sendable {
            /// A connection was started.
            case started
            /// The connection with this number was accepted; what the kernel had counted of it by then.
            case accepted(Int, Sockets.PacketCounts)
            /// A greeting was sent over an accepted connection.
            case greeted
            /// Bytes came back over a connection with a greeting.
            case answered
        }

        private(set) var started = 0
        private var accepted: [Int: Sockets.PacketCounts] = [:]
        private var greetings = 0
        private var end = Duration.zero
        /// Whether nothing has come back over a connection with a greeting.
        private(set) var isMute = true

        /// Whether a connection starts now; the next one follows after `interval`.
        func startsConnection(at now: Duration) -> Bool {
            started < LossProbe.connections && started - accepted.count < LossProbe.mostOpen
                && now < LossProbe.startTime
        }

        /// Whether a greeting is sent over the connection that was just accepted.
        var sendsGreeting: Bool { isMute && greetings < LossProbe.muteConnections }

        /// Whether nothing more is awaited.
        ///
        /// - Parameter now: all that happened before this time has been handled.
        func isOver(at now: Duration) -> Bool {
            !startsConnection(at: now) && (now >= end || accepted.count == started && !isMute)
        }

        mutating func handle(_ event: Event, at now: Duration) {
            switch event {
            case .started:
                started += 1
                end = now + LossProbe.interval + LossProbe.patience
            case .accepted(let place, let counts): accepted[place] = counts
            case .greeted: greetings += 1
            case .answered: isMute = false
            }
        }

        /// The conclusion from the connections, if none of them has failed.
        var outcome: Outcome {
            guard let loss = LossProbe.loss(accepted) else {
                let most = started > 0 ? PacketLoss(LossProbe.inTime(accepted).count, of: started) : nil
                return Outcome(lossAtMost: most, isAnswered: !isMute)
            }
            return Outcome(
                loss: loss, isMute: isMute && greetings == LossProbe.muteConnections && !loss.isSevere,
                isAnswered: !isMute)
        }
    }

    /// Evaluates the counts of the connections that were accepted, by their place in the order; nil if too few answers come in time.
    static func loss(_ accepted: [Int: Sockets.PacketCounts]) -> PacketLoss? {
        let inTime = inTime(accepted)
        // The connections themselves may fill the queue of a slow line, so that later answers take longer.
        let slow = inTime.values.count { $0.roundTrip > longestRoundTrip }
        guard let fastest = inTime.values.map(\.roundTrip).min(), fastest <= longestRoundTrip,
            slow < slowAnswers || 4 * slow <= inTime.count, let last = inTime.keys.max(),
            last >= leastConnections || 2 * (inTime.count - 1) < last
        else { return nil }
        // The last answer only shows which silence is loss: counted, it would make the loss seem smaller.
        return PacketLoss(inTime.count - 1, of: last)
    }

    /// The connections whose first packet was answered: an answer that took longer was lost, and the server repeated it.
    private static func inTime(_ accepted: [Int: Sockets.PacketCounts]) -> [Int: Sockets.PacketCounts] {
        accepted.filter { $0.value.repeated == 0 && $0.value.roundTrip < repetition }
    }

    #endif
}

/// The beginning of a TLS handshake (RFC 5246, section 7.4.1.2) that offers only a cipher suite without encryption, so that a
/// server rejects it in one small packet.
enum TLSGreeting {
    /// The bytes to send; the random ones differ each time.
    static var bytes: [UInt8] {
        let version: [UInt8] = [3, 3]
        let random = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        let hello = version + random + [0, 0, 2, 0, 2, 1, 0]
        let message: [UInt8] = [1, 0, 0, UInt8(hello.count)] + hello
        return [22, 3, 1, 0, UInt8(message.count)] + message
    }
}
