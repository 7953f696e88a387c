//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch

/// One TCP connection being made, which is closed as soon as it stands or fails: it only proves that it can be had.
///
/// Used only on the queue it was made with, which is serial and its caller's.
final class ConnectionAttempt {
    /// The address.
    let address: HostAddress
    private var source: (any DispatchSourceWrite)?

    /// Begins.
    ///
    /// - Parameters:
    ///   - address: where to.
    ///   - port: the TCP port.
    ///   - openSocket: makes the socket.
    ///   - queue: where this is called, and calls back.
    ///   - finished: called later, unless `cancel()` comes first, with nil when there is a connection. It must let go of the
    ///     attempt.
    init(
        to address: HostAddress, port: UInt16, openSocket: HostEnvironment.OpenSocket, on queue: DispatchQueue,
        finished: @escaping @Sendable (HostError?) -> Void
    ) {
        self.address = address
        do throws(SocketFailure) {
            let socket = try openSocket(address.version)
            try Sockets.startConnecting(socket, to: address, port: port)
            source = Self.watch(socket, on: queue, finished)
        } catch {
            queue.async { finished(HostError(error)) }
        }
    }

    deinit { cancel() }

    /// Gives up; what was called back to is not called any more, but for a call that is already queued.
    func cancel() {
        source?.cancel()
        source = nil
    }

    /// The source keeps the descriptor, so that it is closed when the source has let go of it.
    private static func watch(
        _ socket: SocketDescriptor, on queue: DispatchQueue, _ finished: @escaping @Sendable (HostError?) -> Void
    ) -> any DispatchSourceWrite {
        let source = DispatchSource.makeWriteSource(fileDescriptor: socket.number, queue: queue)
        // The first event ends the attempt, so that there is no second.
        source.setEventHandler {
            finished(Sockets.pendingFailure(socket).map { HostError($0) })
        }
        source.setCancelHandler { withExtendedLifetime(socket) {} }
        source.activate()
        return source
    }
}
