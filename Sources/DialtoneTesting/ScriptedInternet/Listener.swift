// SPDX-License-Identifier: Apache-2.0

import Dialtone

/// A listening port.
struct Listener: Sendable {
    enum Kind: Hashable, Sendable { case http, https, captivePortalAPI }

    let kind: Kind
    let socket: SocketDescriptor
    let port: UInt16

    init(_ kind: Kind, on host: NetworkAddress, port: UInt16) throws(ScriptingError) {
        self.kind = kind
        do throws(SocketFailure) {
            let first = try Self.bind(host, port)
            self.port = try Sockets.port(first)
            // A port chosen by the system is released when the socket stops listening; a requested one is kept.
            socket = port == 0 ? try Self.bind(host, self.port) : first
            try Sockets.startListening(socket, backlog: Self.backlog)
        } catch {
            throw ScriptingError("no server on \(host) port \(port): \(error)")
        }
    }

    private static func bind(_ host: NetworkAddress, _ port: UInt16) throws(SocketFailure) -> SocketDescriptor {
        let socket = try Sockets.openSocket(host.version, .stream)
        try Sockets.allowReuse(socket)
        try Sockets.bindSocket(socket, to: host, port: port)
        return socket
    }

    /// Accepts connections, or has the system refuse them.
    func setOpen(_ isOpen: Bool) {
        if isOpen {
            try? Sockets.startListening(socket, backlog: Self.backlog)
        } else {
            Sockets.endBothWays(socket)
        }
    }

    var isSecure: Bool { kind != .http }

    private static let backlog: Int32 = 128
}
