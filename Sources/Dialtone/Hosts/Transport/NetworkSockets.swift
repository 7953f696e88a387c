// SPDX-License-Identifier: Apache-2.0

package import SystemSupport

/// Opens sockets and waits for them, for one thread: those of the kernel, or those of a network in memory.
///
/// What decides by packets and times is given one of these, and runs over either in the same way.
package protocol NetworkSockets: Sendable {
    /// The clock of the waits.
    var time: TimeSource { get }

    /// Opens a socket, which does not block.
    func open(_ version: IPVersion, _ kind: SocketKind) throws(SystemError) -> any NetworkSocket

    /// Waits until a socket is ready or has failed, the time has come, or the work must end, which takes precedence.
    ///
    /// - Returns: the numbers of the sockets that are ready. The outcome is `late` if something is ready, but the time had come
    ///   before the wait began.
    func wait(
        readable: [any NetworkSocket], writable: [any NetworkSocket], until deadline: ContinuousClock.Instant
    ) -> (outcome: PollSet.Outcome, ready: Set<Int32>)

    /// Whether the queries for the link-layer address of a neighbor are not answered.
    func isAbsent(_ address: NetworkAddress, on interface: String) -> Bool
}

extension NetworkSockets {
    /// Waits until the time has come, or the work must end.
    package func wait(until deadline: ContinuousClock.Instant) -> PollSet.Outcome {
        wait(readable: [], writable: [], until: deadline).outcome
    }
}

/// The kinds of sockets.
package enum SocketKind: Hashable, Sendable {
    /// TCP.
    case stream
    /// UDP.
    case datagram
    /// ICMP echo requests, which Linux allows to the groups of `ping_group_range` (icmp(7)).
    case echo
}

/// A socket; it is closed with the last reference to it.
package protocol NetworkSocket: AnyObject, Sendable {
    /// A number that no other open socket has.
    var number: Int32 { get }

    /// Sets an option.
    func set(_ option: SocketOption) throws(SystemError)
    /// Starts a connection, which is established once the socket is writable; a datagram socket has its peer at once.
    func startConnecting(to address: NetworkAddress, port: UInt16) throws(SystemError)
    /// Sends as many bytes as the buffer accepts, and returns their number; nil if it accepts none yet.
    func send(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int?
    /// Receives available bytes, and returns their number: 0 if the peer has closed, nil if there are none yet.
    func receive(into buffer: inout [UInt8]) throws(SystemError) -> Int?
    /// Ends both directions.
    func endBothWays()

    /// The error of a failed connection attempt; nil if the connection is established.
    var pendingFailure: SystemError? { get }
    /// Removes the next error that a packet reported from the queue; nil if it is empty.
    func nextReportedError() -> Sockets.ReportedError?
    /// The address that the socket sends from; nil if it is not known.
    var ownAddress: NetworkAddress? { get }
    /// The packets of a connection, or of an attempt to connect; nil where they are not counted.
    var packetCounts: Sockets.PacketCounts? { get }

    /// A TLS handshake with a host, which this socket plays without bytes of TLS; nil if such bytes are exchanged.
    func handshake(with host: String) -> ScriptedHandshake?
}

/// An option of a socket.
package enum SocketOption: Hashable, Sendable {
    /// The kernel queues the errors that routers and hosts report: `IP_RECVERR` (ip(7)).
    case queuesErrors(IPVersion)
    /// The number of routers that forward a packet; the next one reports that the time is exceeded.
    case hopLimit(IPVersion, Int32)
    /// The longest segment of a connection, in both directions: `TCP_MAXSEG` (tcp(7)).
    case segmentLimit(Int32)
    /// Each write leaves at once: `TCP_NODELAY`.
    case noDelay
    /// Closing resets the connection instead of ending it.
    case resetsOnClose
    /// Packets use this interface only: `SO_BINDTODEVICE`.
    case interface(String)
    /// Packets have this source.
    case source(NetworkAddress)
}

/// The state of a TLS handshake without bytes of TLS.
package enum ScriptedHandshake: Hashable, Sendable {
    /// It has begun; when the socket is readable, it may have ended.
    case underWay
    /// The certificate is the host's.
    case trusted
    /// The certificate is refused: OpenSSL's number (`X509_V_ERR_…`) and text.
    case refused(Int, String)
    /// The handshake is broken off, in OpenSSL's words.
    case broken(String)
    /// The connection has failed.
    case failed(SystemError)
}

/// Runs work that sends and waits.
package protocol SocketRunner: Sendable {
    /// The clock of everything that the sockets do.
    var time: TimeSource { get }

    /// Runs work, which ends soon after its task is cancelled.
    ///
    /// - Returns: nil if the process has no descriptor or thread left.
    func run<Value: Sendable>(_ name: String, _ work: @escaping @Sendable (any NetworkSockets) -> Value) async -> Value?
}
