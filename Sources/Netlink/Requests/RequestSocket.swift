//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
/// Sends requests and collects their answers: numbering, acknowledgements, dumps, and the kernel's errors.
struct RequestSocket: ~Copyable {
    private let socket: NetlinkSocket
    private var buffer = [UInt8](repeating: 0, count: NetlinkSocket.bufferSize)
    private var sequence: UInt32 = 0
    /// Whether an exchange ended early, so that answers to it may still come.
    private var mayHaveLeftovers = false

    /// The kernel answers at once; a silent imitation of it must not hang the caller.
    private static let silenceBound = 5
    /// No exchange takes longer, whatever comes: a dump of a million routes takes a few seconds.
    private static let exchangeBound = 60
    /// How often a dump that the kernel calls interrupted is tried again.
    private static let dumpAttempts = 10

    init(_ family: NetlinkSocket.Family, in namespace: NetworkNamespace?) throws(NetlinkError) {
        let socket = try NetlinkSocket(family, in: namespace)
        socket.preferPreciseAnswers()
        try socket.bound(seconds: Self.silenceBound)
        self.socket = socket
    }

    var namespaceCookie: UInt64? { socket.namespaceCookie }

    /// Overwrites what answers left in memory.
    mutating func wipe() {
        for place in buffer.indices { buffer[place] = 0 }
    }

    /// Sends one request and delivers the messages that answer it.
    ///
    /// - Returns: whether a dump was interrupted by a change.
    /// - Throws: `kernel` with the kernel's number and words, or what the socket throws.
    @discardableResult
    mutating func exchange(
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
            try answers.take(datagram, read: read)
        }
        return answers.isInterrupted
    }

    /// Collects a whole table, again when it changed while it was read.
    ///
    /// - Throws: `interrupted` when it changed in every try, or what `exchange` throws.
    mutating func dump<Message>(
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

    /// Sends several requests in one datagram and delivers each one's answer or error with its place in the list.
    ///
    /// The kernel serves them in order, so a request that takes its configuration lock settles what follows it.
    ///
    /// - Parameters:
    ///   - count: how many requests.
    ///   - operation: what errors call it.
    ///   - write: writes the request of a place, from `begin` with the sequence number on.
    ///   - answer: gets each answer with its request's place.
    mutating func exchangeAll(
        _ count: Int, operation: String, write: (_ place: Int, _ sequence: UInt32, inout MessageWriter) -> Void,
        answer: (Int, Result<RouteMessage?, Errno>) -> Void
    ) throws(NetlinkError) {
        // Small enough that all answers fit in a default receive buffer at once.
        let mostAtOnce = 64
        for start in stride(from: 0, to: count, by: mostAtOnce) {
            let end = min(start + mostAtOnce, count)
            var answers = BatchAnswers(from: sequence &+ 1, count: end - start)
            var writer = MessageWriter(capacity: 64 * (end - start))
            for place in start..<end {
                sequence &+= 1
                write(place, sequence, &writer)
            }
            try exchange(try writer.finish(), operation: operation) { (datagram) throws(NetlinkError) in
                try answers.take(datagram) { answer(start + $0, $1) }
            }
        }
    }

    /// Sends a datagram and receives until the answer is complete, within the bounds.
    private mutating func exchange(
        _ datagram: [UInt8], operation: String, take: (RawSpan) throws(NetlinkError) -> Progress
    ) throws(NetlinkError) {
        if mayHaveLeftovers { discardLeftovers() }
        mayHaveLeftovers = true
        try socket.send(datagram)
        let start = ContinuousClock.now
        var lastAnswer = start
        while true {
            if case .datagram(let count) = try socket.receive(into: &buffer, waiting: true) {
                // Every bit pattern of UInt8 is a byte; the span cannot outlive the buffer.
                switch try take(unsafe buffer.span.bytes.extracting(first: count)) {
                case .finished:
                    mayHaveLeftovers = false
                    return
                case .more: lastAnswer = .now
                case .unrelated: break
                }
            }
            let now = ContinuousClock.now
            guard now - lastAnswer < .seconds(Self.silenceBound), now - start < .seconds(Self.exchangeBound) else {
                throw NetlinkError(.timedOut, operation: operation)
            }
        }
    }

    /// Reads the rest of an exchange that failed half way: the kernel refuses a dump while another runs.
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
