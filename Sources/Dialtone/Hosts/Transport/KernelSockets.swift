// SPDX-License-Identifier: Apache-2.0

import LibC
package import SystemSupport

/// The kernel's sockets.
package struct KernelSockets: NetworkSockets {
    /// Ends waits; nil for work that is not ended.
    private let interrupt: WakeEvent?

    /// The time limit for what may wait for a neighbor: the kernel gives up on one that does not exist after three seconds.
    static let neighborPatience = Duration.milliseconds(3500)

    package init(_ interrupt: WakeEvent? = nil) { self.interrupt = interrupt }

    package var time: TimeSource { .system }

    package func open(_ version: IPVersion, _ kind: SocketKind) throws(SystemError) -> any NetworkSocket {
        switch kind {
        case .stream: try Sockets.openSocket(version, .stream)
        case .datagram: try Sockets.openSocket(version, .datagram)
        case .echo: try Sockets.openEchoSocket(version)
        }
    }

    package func wait(
        readable: [any NetworkSocket], writable: [any NetworkSocket], until deadline: ContinuousClock.Instant
    ) -> (outcome: PollSet.Outcome, ready: Set<Int32>) {
        PollSet.wait(readable: readable.map(\.number), writable: writable.map(\.number), until: deadline, interrupt)
    }
}

extension Descriptor: NetworkSocket {
    package func set(_ option: SocketOption) throws(SystemError) {
        switch option {
        case .queuesErrors(let version): try Sockets.queueErrors(of: self, version)
        case .hopLimit(let version, let count): try Sockets.limitHops(of: self, version, to: count)
        case .segmentLimit(let bytes): try Sockets.limitSegments(self, to: bytes)
        case .noDelay: try Sockets.setOption(self, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        case .resetsOnClose: Sockets.resetOnClose(self)
        case .interface(let name):
            #if !canImport(Darwin)
            try Sockets.bindToInterface(self, named: name)
            #endif
        case .source(let address): try Sockets.bindSocket(self, to: address, port: 0)
        }
    }

    package func startConnecting(to address: NetworkAddress, port: UInt16) throws(SystemError) {
        try Sockets.startConnecting(self, to: address, port: port)
    }

    package func send(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int? { try Sockets.sendBytes(self, bytes) }

    package func receive(into buffer: inout [UInt8]) throws(SystemError) -> Int? {
        try Sockets.receiveBytes(self, into: &buffer)
    }

    package func endBothWays() { Sockets.endBothWays(self) }

    package var pendingFailure: SystemError? { Sockets.pendingFailure(self) }

    package func nextReportedError() -> Sockets.ReportedError? { Sockets.nextReportedError(self) }

    package var ownAddress: NetworkAddress? { try? Sockets.ownAddress(self) }

    package var packetCounts: Sockets.PacketCounts? { Sockets.packetCounts(self) }

    package func handshake(with host: String) -> ScriptedHandshake? { nil }
}

/// Runs work with the kernel's sockets, on a thread that may wait in the kernel.
package struct KernelSocketRunner: SocketRunner {
    private let threads: ThreadStarter

    package init(_ threads: ThreadStarter = .system) { self.threads = threads }

    package var time: TimeSource { .system }

    package func run<Value: Sendable>(
        _ name: String, _ work: @escaping @Sendable (any NetworkSockets) -> Value
    ) async -> Value? {
        guard let interrupt = try? WakeEvent() else { return nil }
        return await withTaskCancellationHandler {
            try? await threads.run(name) { work(KernelSockets(interrupt)) }
        } onCancel: {
            interrupt.signal()
        }
    }
}
