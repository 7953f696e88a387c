// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import Netlink
import TestSupport

@testable import NetworkState
import Synchronization

/// Records the kernel's messages in the calling thread's namespace.
final class NetworkRecorder: Sendable {
    private struct State: ~Copyable {
        var socket: NetlinkSocket
        var buffer = [UInt8](repeating: 0, count: NetlinkSocket.bufferSize)
        var steps: [NetworkRecording.Step] = []
    }

    private let state: Mutex<State>

    /// Starts to listen, then reads the existing links.
    init() throws {
        let socket = try NetlinkSocket(.route)
        for group in MulticastGroup.routing { try socket.join(group) }
        state = Mutex(State(socket: socket))
        let links = try Self.dumpOfLinks()
        state.withLock { $0.steps = links }
    }

    private static func dumpOfLinks() throws -> [NetworkRecording.Step] {
        let socket = try NetlinkSocket(.route)
        var writer = MessageWriter(.getLink, flags: .dump, sequence: 1)
        RouteNetlink.writeLinkHeader(&writer)
        try socket.send(try writer.finish())
        var buffer = [UInt8](repeating: 0, count: NetlinkSocket.bufferSize)
        var steps: [NetworkRecording.Step] = []
        var isFinished = false
        while !isFinished, case .datagram(let count) = try socket.receive(into: &buffer, waiting: true) {
            steps.append(.datagram(Array(buffer[..<count])))
            try buffer.span.bytes.extracting(first: count).forEachMessage { (header, _) throws(NetlinkError) in
                isFinished = header.type == .done
            }
        }
        return steps
    }

    var recording: NetworkRecording { state.withLock { NetworkRecording($0.steps) } }

    /// Records the announcements so far, and the answers in a published state.
    func record(_ snapshot: NetworkSnapshot) throws {
        try state.withLock { state in
            while case .datagram(let count) = try state.socket.receive(into: &state.buffer, waiting: false) {
                state.steps.append(.datagram(Array(state.buffer[..<count])))
            }
            state.steps += snapshot.routing.general.map { .answer($0, over: nil) }
            for (interface, answers) in snapshot.routing.byLink.elements {
                state.steps += answers.map { .answer($0, over: interface) }
            }
            state.steps += [.rejectingRule(snapshot.hasRejectingRule), .resolver(snapshot.resolver), .publish]
        }
    }
}
#endif
