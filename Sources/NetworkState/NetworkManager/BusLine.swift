//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
/// One life of the line to the bus: socket, stream and view together.
///
/// It belongs to one thread.
final class BusLine {
    private let socket: UnixStream
    private var stream = BusStream(user: UnixStream.userIdentifier)
    private var view: NetworkManagerView?
    private let answerBound: Double
    private var lastProgress = MonotonicTime.now

    /// The most that is taken in at once; the rest waits until the kernel's own news have been read.
    private static let mostReads = 64

    init(_ socket: consuming UnixStream, answerBound: Double) {
        self.socket = socket
        self.answerBound = answerBound
    }

    var descriptorNumber: Int32 { socket.number }
    var devices: [String: ManagedDevice] { view?.devices ?? [:] }
    /// Whether everything that was asked has been answered.
    var isSettled: Bool { view?.isSettled ?? false }

    /// When the other end has been silent for too long, or when to try again to send.
    var deadline: Double? {
        if isSettled, stream.outbox.isEmpty { return nil }
        let silence = lastProgress + answerBound
        return stream.outbox.isEmpty ? silence : min(silence, MonotonicTime.now + 0.05)
    }

    /// Reads and writes what can be read and written now.
    ///
    /// - Throws: what ends the line.
    func update() throws(BusError) {
        var readsLeft = Self.mostReads
        while readsLeft > 0, let bytes = try socket.read() {
            readsLeft -= 1
            lastProgress = MonotonicTime.now
            let messages = try stream.take(bytes[...])
            if stream.isOpen, view == nil { view = NetworkManagerView() }
            for message in messages { try view?.take(message) }
        }
        for (serial, call) in view?.takeCalls() ?? [] { stream.send(call, serial: serial) }
        stream.sent(try socket.write(stream.outbox))
        if let silentUntil = isSettled ? nil : lastProgress + answerBound, MonotonicTime.now >= silentUntil {
            throw .timedOut
        }
    }
}
#endif
