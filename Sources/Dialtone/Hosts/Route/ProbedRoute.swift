// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Finds the route to an address if the routing tables cannot be read.
///
/// It connects a UDP socket to the address: this makes the kernel look up a route, but sends no packet.
enum ProbedRoute {
    static func find(_ address: NetworkAddress) -> Result<HostRoute, HostError> {
        do throws(SystemError) {
            let socket = try Sockets.openSocket(address.version, .datagram)
            try Sockets.startConnecting(socket, to: address, port: discardPort)
            return .success(HostRoute(isLocalAddress: address.isLoopback))
        } catch {
            let failure = HostError(connecting: error)
            guard failure.code == .unreachable else { return .failure(HostError(.unknown, errorNumber: error.number)) }
            return .failure(HostError(.noRoute, errorNumber: error.number))
        }
    }

    /// The discard port (RFC 863); no packet is sent to it.
    private static let discardPort: UInt16 = 9
}
