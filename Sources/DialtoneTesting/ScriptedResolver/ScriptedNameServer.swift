// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// A name server for tests: answers address queries over UDP as a `ScriptedResolver` does (RFC 1035).
///
/// Programs find it through the system's resolver configuration, which supports port 53 only: run it in a network
/// namespace, on an address that is used for nothing else. It listens as long as this object exists.
public final class ScriptedNameServer: Sendable {
    /// The port it listens on.
    public let port: UInt16
    private let interrupt: WakeEvent

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - script: the answers, which may change at any time.
    ///   - address: the numeric address to listen on.
    ///   - port: the port; 0 selects a free one.
    ///   - answersIPv6: whether it answers queries for IPv6 addresses; some forwarders drop them.
    /// - Throws: `ScriptingError` when the port is in use or not permitted.
    public init(
        playing script: ScriptedResolver, address: String = "127.0.0.1", port: UInt16 = 53,
        answersIPv6: Bool = true
    ) throws(ScriptingError) {
        guard let host = NetworkAddress(address) else { throw ScriptingError("\(address) is not an address") }
        do {
            interrupt = try WakeEvent()
            let socket = try Sockets.openSocket(host.version, .datagram)
            try Sockets.bindSocket(socket, to: host, port: port)
            self.port = try Sockets.port(socket)
            try ThreadStarter.system.start("scripted.names") { [interrupt] in
                Self.serve(socket, script, answersIPv6, interrupt)
            }
        } catch is ThreadStarter.Refused {
            throw ScriptingError("no thread")
        } catch {
            throw ScriptingError("no name server on \(host) port \(port): \(error)")
        }
    }

    deinit { interrupt.signal() }

    private static func serve(
        _ socket: Descriptor, _ script: ScriptedResolver, _ answersIPv6: Bool, _ interrupt: WakeEvent
    ) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let wait = PollSet.wait(readable: [socket.number], until: nil, interrupt)
            if case .interrupted = wait.outcome { return }
            guard let (count, sender) = try? Sockets.receiveDatagram(socket, into: &buffer) else { continue }
            guard let question = NameQuestion(buffer[..<count]), answersIPv6 || question.wanted != .ipv6 else {
                continue
            }
            if let reply = question.reply(script.answer(to: question.name)) {
                try? Sockets.sendDatagram(socket, reply, to: sender)
            }
        }
    }
}
