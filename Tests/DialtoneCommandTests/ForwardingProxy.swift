// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport
import TestSupport

/// An HTTP proxy that forwards everything to one host: plain requests to port 80, tunnels to port 443.
///
/// It runs in the network namespace of the thread that creates it.
final class ForwardingProxy: Sendable {
    /// The first line of each request.
    let requests = Recorder<String>()
    private let interrupt: WakeEvent

    init(on address: String, port: UInt16, to target: String) throws {
        struct Unusable: Error {}
        guard let host = NetworkAddress(address), let target = NetworkAddress(target) else { throw Unusable() }
        let listener = try Sockets.openSocket(host.version, .stream)
        try Sockets.bindSocket(listener, to: host, port: port)
        try Sockets.startListening(listener, backlog: 64)
        interrupt = try WakeEvent()
        let (interrupt, requests) = (interrupt, requests)
        try ThreadStarter.system.start("test.proxy") {
            while PollSet.wait(readable: [listener.number], until: nil, interrupt).outcome == .ready {
                guard let client = try? Sockets.acceptConnection(listener) else { continue }
                try? ThreadStarter.system.start("test.tunnel") { Self.serve(client, target, interrupt, requests) }
            }
        }
    }

    deinit { interrupt.signal() }

    private static func serve(
        _ client: Descriptor, _ target: NetworkAddress, _ interrupt: WakeEvent, _ requests: Recorder<String>
    ) {
        let deadline = TimeSource.system.now + .seconds(60)
        let near = ByteStream(client, KernelSockets(interrupt))
        guard let head = try? near.receive(until: deadline), !head.isEmpty else { return }
        let text = String(decoding: head, as: UTF8.self)
        requests.record(String(text.prefix { $0 != "\r\n" }))
        let isTunnel = text.hasPrefix("CONNECT ")
        guard let server = try? Sockets.openSocket(target.version, .stream),
            (try? Sockets.startConnecting(server, to: target, port: isTunnel ? 443 : 80)) != nil
        else { return }
        _ = PollSet.wait(writable: [server.number], until: deadline, interrupt)
        let far = ByteStream(server, KernelSockets(interrupt))
        let first = isTunnel ? Array("HTTP/1.1 200 Connected\r\n\r\n".utf8) : Array(head)
        guard (try? (isTunnel ? near : far).send(first, until: deadline)) != nil else { return }
        while true {
            let wait = PollSet.wait(readable: [client.number, server.number], until: deadline, interrupt)
            guard wait.outcome == .ready else { return }
            for (from, to, number) in [(near, far, client.number), (far, near, server.number)]
            where wait.ready.contains(number) {
                guard let bytes = try? from.receive(until: deadline), !bytes.isEmpty,
                    (try? to.send(Array(bytes), until: deadline)) != nil
                else { return }
            }
        }
    }
}
