// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import LibC
import SystemSupport

/// Opens the sockets of probes, bound as configured.
struct ProbeSocket: Sendable {
    let binding: InternetCheck.Configuration.Binding

    /// Opens a socket for an address, by default for connections.
    func open(for address: NetworkAddress, _ kind: Sockets.Kind = .stream) throws(ProbeError) -> Descriptor {
        let socket = try Self.translating { () throws(SystemError) in try Sockets.openSocket(address.version, kind) }
        // Otherwise the request waits for the answer to the end of the handshake: for a round trip.
        if kind == .stream { try? Sockets.setOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
        try bind(socket, for: address)
        return socket
    }

    /// Binds a socket for an address.
    func bind(_ socket: Descriptor, for address: NetworkAddress) throws(ProbeError) {
        switch binding {
        case .none: break
        case .interface(let name): try bind(socket, toInterface: name)
        case .interfaceOrItsAddress(let name):
            do {
                try bind(socket, toInterface: name)
            } catch  where error.code == .notPermitted {
                try bind(socket, toAddressOf: name, for: address)
            }
        }
    }

    private static func translating<Value>(
        _ body: () throws(SystemError) -> Value
    ) throws(ProbeError) -> Value {
        do { return try body() } catch { throw .connecting(error) }
    }

    private func bind(_ socket: Descriptor, toInterface name: String) throws(ProbeError) {
        do {
            try Sockets.bindToInterface(socket, named: name)
        } catch {
            switch error.number {
            case EPERM:
                throw .connecting(
                    .notPermitted, "binding to \(name): only root may, before Linux 5.7 and in some sandboxes")
            case ENODEV: throw .connecting(.noSuchInterface, name)
            default: throw .connecting(error)
            }
        }
    }

    private func bind(
        _ socket: Descriptor, toAddressOf name: String, for address: NetworkAddress
    ) throws(ProbeError) {
        let candidates = Sockets.addresses(ofInterface: name, address.version)
        // A link-local source reaches only its link.
        guard let source = candidates.first(where: { $0.scope == 0 || address.scope != 0 }) else {
            throw .connecting(.noSuchInterface, "\(name) has no \(address.version.rawValue) address")
        }
        try Self.translating { () throws(SystemError) in try Sockets.bindSocket(socket, to: source, port: 0) }
    }
}

extension ProbeError {
    static func connecting(_ code: Code, _ message: String = "") -> Self { Self(code, during: .connect, message) }

    /// The error of a socket that could not connect.
    static func connecting(_ failure: SystemError) -> Self { socket(failure, during: .connect) }

    /// The error of a socket.
    static func socket(_ failure: SystemError, during step: Step) -> Self {
        let code: Code =
            switch failure.number {
            case ECONNREFUSED: .refused
            case ECONNRESET, ECONNABORTED, EPIPE: .connectionLost
            case ETIMEDOUT: .timedOut
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: .noResources
            // Among them EACCES, EPERM and EINVAL: a prohibit route, a firewall, a blackhole.
            default: .unreachable
            }
        // The number for "administratively prohibited" of ICMPv6, and for a prohibit route.
        let words = failure.number == EACCES ? "a router or a firewall prohibits it" : failure.description
        return Self(code, during: step, words)
    }
}

#endif
