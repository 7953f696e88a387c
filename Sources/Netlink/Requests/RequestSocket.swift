// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CLinux

/// Sends requests and collects their answers: sequence numbers, acknowledgements, dumps, and the kernel's errors.
package struct RequestSocket: ~Copyable {
    private let socket: NetlinkSocket
    private var buffer = NetlinkSocket.makeBuffer()
    /// The lengths of the answers in the buffer's slots, after several were received at once.
    private var lengths = [UInt32](repeating: 0, count: Int(CLinux_MOST_AT_ONCE))
    /// Whether the kernel can receive several answers at once: gVisor and some sandboxes refuse it.
    private var receivesSeveral = true
    /// The requests of an exchange; kept for its memory.
    private var datagram: [UInt8] = []
    private var sequence: UInt32 = 0
    /// Whether an exchange ended early, so that answers to it may still come.
    private var mayHaveLeftovers = false

    /// The time limit for an answer, in seconds: the kernel answers at once, but an emulation of it must not block the caller.
    private static let silenceBound = 5
    /// The time limit for an exchange, in seconds: a dump of a million routes takes a few.
    private static let exchangeBound = 60
    /// The number of answers after which the time limits are checked again.
    private static let answersPerCheck = 64
    /// The number of attempts at a dump that the kernel reports as interrupted.
    private static let dumpAttempts = 10

    init(_ socket: consuming NetlinkSocket) throws(NetlinkError) {
        socket.preferPreciseAnswers()
        try socket.bound(seconds: Self.silenceBound)
        self.socket = socket
    }

    var namespaceCookie: UInt64? { socket.namespaceCookie }

    /// Overwrites the memory that held answers.
    mutating func wipe() {
        for place in buffer.indices { buffer[place] = 0 }
    }

    /// Sends one request and delivers the messages that answer it.
    ///
    /// - Returns: whether a dump was interrupted by a change.
    /// - Throws: `kernel` with the kernel's number and message, or the socket's error.
    @discardableResult
    package mutating func exchange(
        _ type: MessageType, _ flags: MessageFlags, operation: String,
        write: (inout MessageWriter) -> Void,
        read: (MessageHeader, RawSpan) throws(NetlinkError) -> Void = { _, _ in }
    ) throws(NetlinkError) -> Bool {
        sequence &+= 1
        var writer = MessageWriter(type, flags: flags, sequence: sequence)
        write(&writer)
        let request = try writer.finish()
        var answers = Answers(to: sequence, flags: flags, operation: operation)
        try exchange(request, operation: operation) { (datagram) throws(NetlinkError) in
            try answers.receive(datagram, read: read)
        }
        return answers.isInterrupted
    }

    /// Collects a whole table, and starts over if it changed meanwhile.
    ///
    /// - Throws: `interrupted` when it changed during every attempt, or the error of `exchange`.
    package mutating func dump<Message>(
        _ type: MessageType, _ operation: String, write: (inout MessageWriter) -> Void,
        read: (RawSpan) throws(NetlinkError) -> Message?
    ) throws(NetlinkError) -> [Message] {
        for _ in 0..<Self.dumpAttempts {
            var messages: [Message] = []
            let isInterrupted = try exchange(type, .dump, operation: operation, write: write) {
                (_, payload) throws(NetlinkError) in
                if let message = try read(payload) { messages.append(message) }
            }
            if !isInterrupted { return messages }
        }
        throw NetlinkError(
            .interrupted, operation: operation, message: "the table changed during each of \(Self.dumpAttempts) dumps")
    }

    /// Small enough that the answers to this many requests fit into a default receive buffer.
    static let mostAtOnce = 64

    /// Sends several requests in one datagram and delivers each one's answer or error with its index.
    ///
    /// The kernel serves them in order, so a request that takes its configuration lock settles the state for those after it.
    ///
    /// - Parameters:
    ///   - count: the number of requests.
    ///   - operation: the operation that errors name.
    ///   - write: appends all requests, with sequence numbers from the given one.
    ///   - answer: receives the first answer to each request, with the request's index.
    mutating func exchangeAll(
        _ count: Int, operation: String, write: (_ sequence: UInt32, inout [UInt8]) throws(NetlinkError) -> Void,
        answer: (Int, MessageHeader, RawSpan) throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        guard count > 0 else { return }
        var answers = BatchAnswers(from: sequence &+ 1, count: count)
        datagram.removeAll(keepingCapacity: true)
        try write(sequence &+ 1, &datagram)
        sequence &+= UInt32(count)
        try exchange(datagram, operation: operation, areShort: true) { (datagram) throws(NetlinkError) in
            try answers.receive(datagram, answer: answer)
        }
    }

    /// Sends a datagram and receives until the answer is complete, within the time limits.
    ///
    /// - Parameter areShort: whether no datagram of the answer is longer than `NetlinkSocket.answerSlot`.
    private mutating func exchange(
        _ datagram: [UInt8], operation: String, areShort: Bool = false,
        receive: (RawSpan) throws(NetlinkError) -> Progress
    ) throws(NetlinkError) {
        if mayHaveLeftovers { discardLeftovers() }
        mayHaveLeftovers = true
        try socket.send(datagram)
        let start = ContinuousClock.now
        var lastAnswer = start
        var answers = 0
        var hasAnswered = false
        while true {
            switch try areShort && receivesSeveral ? receiveSeveral(receive) : receiveOne(receive) {
            case .finished:
                mayHaveLeftovers = false
                return
            case .more:
                // Reading the clock for each of 15 answers took 2,400 instructions.
                answers += 1
                hasAnswered = true
                if answers % Self.answersPerCheck != 0 { continue }
            case .unrelated: break
            }
            let now = ContinuousClock.now
            if hasAnswered { lastAnswer = now }
            hasAnswered = false
            guard now - lastAnswer < .seconds(Self.silenceBound), now - start < .seconds(Self.exchangeBound) else {
                throw NetlinkError(.timedOut, operation: operation)
            }
        }
    }

    private mutating func receiveOne(
        _ receive: (RawSpan) throws(NetlinkError) -> Progress
    ) throws(NetlinkError) -> Progress {
        guard case .datagram(let count) = try socket.receive(into: &buffer, waiting: true) else { return .unrelated }
        // Every bit pattern of UInt8 is a byte; the span cannot outlive the buffer.
        return try receive(unsafe buffer.span.bytes.extracting(first: count))
    }

    /// Receives the answers that are queued: two system calls for 15 answers, instead of one for each.
    private mutating func receiveSeveral(
        _ receive: (RawSpan) throws(NetlinkError) -> Progress
    ) throws(NetlinkError) -> Progress {
        let count: Int
        do throws(NetlinkError) {
            count = try socket.receiveAnswers(into: &buffer, &lengths)
        } catch {
            switch error.errno {
            case .noSuchCall, .notPermitted, .invalidArgument: receivesSeveral = false
            default: throw error
            }
            return try receiveOne(receive)
        }
        var progress = Progress.unrelated
        for place in 0..<count where progress != .finished {
            let start = place * NetlinkSocket.answerSlot
            // Every bit pattern of UInt8 is a byte; the span cannot outlive the buffer.
            let bytes = unsafe buffer.span.bytes.extracting(start..<start + Int(lengths[place]))
            let next = try receive(bytes)
            if next != .unrelated { progress = next }
        }
        return progress
    }

    /// Reads the rest of an exchange that failed half way: the kernel rejects a dump while another one runs.
    private mutating func discardLeftovers() {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(Self.silenceBound) {
            do {
                if case .nothing = try socket.receive(into: &buffer, waiting: false) { return }
            } catch let error {
                if error.code == .system { return }
            }
        }
    }
}
#endif
