// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
/// A connection to NetworkManager over the system bus: socket, stream and view.
///
/// Use it from one thread only.
final class NetworkManagerConnection {
    private let socket: UnixStream
    private var stream = BusStream(user: UnixStream.userIdentifier)
    private var view: NetworkManagerView?
    private let answerBound: Double
    private var lastProgress = MonotonicTime.now

    /// The maximum number of reads at once; the rest waits until the kernel's events have been read.
    private static let mostReads = 64

    init(_ socket: consuming UnixStream, answerBound: Double) {
        self.socket = socket
        self.answerBound = answerBound
    }

    var descriptorNumber: Int32 { socket.number }
    var devices: [String: ManagedDevice] { view?.devices ?? [:] }
    /// Whether every call has been answered.
    var isSettled: Bool { view?.isSettled ?? false }

    /// When the peer has been silent for too long, or sending should be retried.
    var deadline: Double? {
        if isSettled, stream.output.isEmpty { return nil }
        let silence = lastProgress + answerBound
        return stream.output.isEmpty ? silence : min(silence, MonotonicTime.now + 0.05)
    }

    /// Reads and writes without blocking.
    ///
    /// - Throws: the error that ends the connection.
    func update() throws(BusError) {
        var readsLeft = Self.mostReads
        while readsLeft > 0, let bytes = try socket.read() {
            readsLeft -= 1
            lastProgress = MonotonicTime.now
            let messages = try stream.receive(bytes[...])
            if stream.isOpen, view == nil { view = NetworkManagerView() }
            for message in messages { try view?.handle(message) }
        }
        for (serial, call) in view?.dequeueCalls() ?? [] { stream.send(call, serial: serial) }
        stream.sent(try socket.write(stream.output))
        if let silentUntil = isSettled ? nil : lastProgress + answerBound, MonotonicTime.now >= silentUntil {
            throw .timedOut
        }
    }
}
#endif
