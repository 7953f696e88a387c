// SPDX-License-Identifier: Apache-2.0

public import Dialtone
import SystemSupport

/// The address and port that the server listens on.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// The network address.
    public let host: NetworkAddress
    /// The port; 0 lets the system choose.
    public let port: UInt16

    /// Creates a listen address from a network address and a port.
    public init(_ host: NetworkAddress, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `ADDRESS:PORT`, `[ADDRESS]:PORT` or `localhost:PORT`.
    ///
    /// Other names are not resolved, because they could resolve to an address that the user did not intend.
    ///
    /// - Throws: ``ServerError`` if the text is malformed.
    public init(parsing text: String) throws(ServerError) {
        let mistake = ServerError(
            .badAddress, "'\(text)' must be an address and a port, such as 127.0.0.1:4780, [::1]:4780 or localhost:4780"
        )
        guard let colon = text.lastIndex(of: ":") else { throw mistake }
        let digits = text[text.index(after: colon)...]
        guard digits.isDecimal, let port = UInt16(digits) else { throw mistake }
        var name = text[..<colon]
        if name.hasPrefix("["), name.hasSuffix("]") {
            name = name.dropFirst().dropLast()
            guard name.contains(":") else { throw mistake }
        } else if name.contains(":") {
            throw mistake
        }
        guard let host = NetworkAddress(name == "localhost" ? "127.0.0.1" : String(name)) else { throw mistake }
        self.init(host, port: port)
    }

    /// Whether only this machine can connect.
    public var isLoopback: Bool { host.isThisMachine }

    /// The address and the port in URL syntax.
    public var description: String {
        host.version == .ipv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
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
