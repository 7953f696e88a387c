// SPDX-License-Identifier: Apache-2.0

import Dialtone
package import DialtoneAgent

/// The address and port that the server listens on.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    let host: NetworkAddress
    /// The port; 0 lets the system choose.
    package let port: UInt16

    init(_ host: NetworkAddress, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `ADDRESS:PORT`, `[ADDRESS]:PORT` or `localhost:PORT`.
    ///
    /// Other names are not resolved, because they could resolve to an address that the user did not intend.
    package init(parsing text: String) throws(ServiceError) {
        guard case (let name, let port?)? = HostAllowList.split(text),
            let host = NetworkAddress(name == "localhost" ? "127.0.0.1" : name)
        else {
            throw ServiceError(
                "'\(text)' must be an address and a port, such as 127.0.0.1:4780, [::1]:4780 or localhost:4780")
        }
        self.init(host, port: port)
    }

    /// Whether only this machine can connect.
    package var isLoopback: Bool { host.isThisMachine }

    /// The address and the port in URL syntax.
    package var description: String { host.version == .ipv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension NetworkAddress {
    /// Whether it is a loopback address, of IPv4, of IPv6, or of IPv4 within IPv6.
    var isThisMachine: Bool { (embeddedIPv4 ?? self).isLoopback }
}

/// A client as the per-client limits count it: an IPv4 address, or the /64 network of an IPv6 address.
///
/// One subscriber owns all addresses of such a network. All clients on this machine count as one, because each can use
/// any address of 127.0.0.0/8.
struct Peer: Hashable, Sendable {
    private let address: [UInt8]
    /// The client's larger network: the /24 of an IPv4 address, or the /48 of an IPv6 address, which is what one customer of a
    /// provider may own.
    let network: [UInt8]
    /// Whether the client runs on this machine.
    let isLoopback: Bool

    init(_ address: NetworkAddress) {
        isLoopback = address.isThisMachine
        let bytes = (address.embeddedIPv4 ?? address).bytes
        self.address = isLoopback ? [] : Array(bytes.prefix(8))
        network = isLoopback ? [] : Array(bytes.prefix(bytes.count == 4 ? 3 : 6))
    }
}
