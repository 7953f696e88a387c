// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// Opens the sockets of probes, bound as configured.
struct ProbeSocket {
    private let sockets: any NetworkSockets
    private let binding: InternetCheck.Configuration.Binding

    init(_ sockets: any NetworkSockets, _ binding: InternetCheck.Configuration.Binding = .none) {
        self.sockets = sockets
        self.binding = binding
    }

    /// Opens a socket for an address, by default for connections.
    func open(for address: NetworkAddress, _ kind: SocketKind = .stream) throws(ProbeError) -> any NetworkSocket {
        let socket: any NetworkSocket
        do { socket = try sockets.open(address.version, kind) } catch { throw .connecting(error) }
        // Otherwise the request waits for the answer to the end of the handshake: for a round trip.
        if kind == .stream { try? socket.set(.noDelay) }
        try bind(socket, for: address)
        return socket
    }

    /// Binds a socket for an address; on Apple platforms it is never bound.
    func bind(_ socket: any NetworkSocket, for address: NetworkAddress) throws(ProbeError) {
        #if !canImport(Darwin)
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
        #endif
    }

    #if !canImport(Darwin)
    private func bind(_ socket: any NetworkSocket, toInterface name: String) throws(ProbeError) {
        do {
            try socket.set(.interface(name))
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
        _ socket: any NetworkSocket, toAddressOf name: String, for address: NetworkAddress
    ) throws(ProbeError) {
        let candidates = Sockets.addresses(ofInterface: name, address.version)
        // A link-local source reaches only its link.
        guard let source = candidates.first(where: { $0.scope == 0 || address.scope != 0 }) else {
            throw .connecting(.noSuchInterface, "\(name) has no \(address.version.rawValue) address")
        }
        do { try socket.set(.source(source)) } catch { throw .connecting(error) }
    }
    #endif
}

extension ProbeError {
    static func connecting(_ code: Code, _ message: String = "") -> Self { Self(code, during: .connect, message) }

    /// The error of a socket that could not connect.
    static func connecting(_ failure: SystemError) -> Self { socket(failure, during: .connect) }

    static func socket(_ failure: SystemError, during step: Step) -> Self {
        let code: Code =
            switch failure.number {
            case ECONNREFUSED: .refused
            case ECONNRESET, ECONNABORTED, EPIPE: .connectionLost
            case ETIMEDOUT: .timedOut
            case _ where failure.isShortage: .noResources
            // Among them EACCES, EPERM and EINVAL: a prohibit route, a firewall, a blackhole.
            default: .unreachable
            }
        // The number for "administratively prohibited" of ICMPv6, and for a prohibit route.
        let words = failure.number == EACCES ? "a router or a firewall prohibits it" : failure.description
        return Self(code, during: step, words)
    }
}
