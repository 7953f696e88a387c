// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SystemSupport

/// An attempt to make one TCP connection.
///
/// Used only on the queue that it was created with, the caller's serial queue.
final class ConnectionAttempt<Failure: ConnectionFailure> {
    private var source: (any DispatchSourceWrite)?
    private var socket: Descriptor?

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - address: the address to connect to.
    ///   - port: the TCP port.
    ///   - openSocket: opens the socket.
    ///   - queue: the queue of this call and of the callback.
    ///   - finished: called later, unless `cancel()` comes first, with the connected socket; the socket is closed
    ///     unless the caller keeps it. It must release the attempt.
    init(
        to address: NetworkAddress, port: UInt16, openSocket: ConnectionRace<Failure>.OpenSocket,
        on queue: DispatchQueue,
        finished: @escaping @Sendable (Result<Descriptor, Failure>) -> Void
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        do throws(SystemError) {
            let socket = try openSocket(address.version)
            try Sockets.startConnecting(socket, to: address, port: port)
            self.socket = socket
            source = Self.watch(socket, on: queue, finished)
        } catch {
            queue.async { finished(.failure(Failure(connecting: error))) }
        }
    }

    deinit { cancel() }

    /// Abandons the attempt; `finished` is not called any more, except for a call that is already queued.
    func cancel() {
        source?.cancel()
        source = nil
        socket = nil
    }

    /// The packets so far; nil where the kernel does not count them.
    var packetCounts: Sockets.PacketCounts? { socket.flatMap { Sockets.packetCounts($0) } }

    /// The result that has not been delivered yet; nil while the attempt is running.
    var unseenEnd: Result<Descriptor, Failure>? {
        guard let socket, PollSet.isWritable(socket.number) else { return nil }
        return Sockets.pendingFailure(socket).map { .failure(Failure(connecting: $0)) } ?? .success(socket)
    }

    /// The source keeps the descriptor, so that it stays open until the source has released it.
    private static func watch(
        _ socket: Descriptor, on queue: DispatchQueue,
        _ finished: @escaping @Sendable (Result<Descriptor, Failure>) -> Void
    ) -> any DispatchSourceWrite {
        let source = DispatchSource.makeWriteSource(fileDescriptor: socket.number, queue: queue)
        // The first event ends the attempt, so that there is no second.
        source.setEventHandler {
            let failure = Sockets.pendingFailure(socket)
            finished(failure.map { .failure(Failure(connecting: $0)) } ?? .success(socket))
        }
        source.setCancelHandler { withExtendedLifetime(socket) {} }
        source.activate()
        return source
    }
}

/// Why a connection could not be made, as an error of the caller's own type.
protocol ConnectionFailure: Error, Hashable, Sendable {
    /// Creates the failure from an error number of the system.
    init(connecting failure: SystemError)

    /// How conclusive the failure is about the host.
    var weight: ConnectionFailureWeight { get }
}

/// Of the failures of several addresses, the greatest is reported.
enum ConnectionFailureWeight: Comparable {
    /// The attempt could not be made over the required interface or address.
    case notTried
    /// There is no route to the address.
    case noWay
    /// The address did not answer, or answered incorrectly.
    case noAnswer
    /// The host was reached, and refused.
    case refusal
    /// This machine could not connect to any address.
    case inability
}
