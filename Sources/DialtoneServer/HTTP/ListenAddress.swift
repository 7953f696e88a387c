//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone

/// Where the server listens.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address.
    public let host: HostAddress
    /// The port; 0 lets the system choose.
    public let port: UInt16

    /// An address and a port.
    public init(_ host: HostAddress, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `ADDRESS:PORT`, `[ADDRESS]:PORT` or `localhost:PORT`.
    ///
    /// Other names are not resolved: they could come to mean an address that nobody had in mind.
    ///
    /// - Throws: what is wrong with it.
    public init(parsing text: String) throws(ServerError) {
        let mistake = ServerError(
            .badAddress, "'\(text)' is no address and port: write 127.0.0.1:4780, [::1]:4780 or localhost:4780.")
        guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
            throw mistake
        }
        var name = text[..<colon]
        if name.hasPrefix("["), name.hasSuffix("]") {
            name = name.dropFirst().dropLast()
            guard name.contains(":") else { throw mistake }
        } else if name.contains(":") {
            throw mistake
        }
        guard let host = HostAddress(name == "localhost" ? "127.0.0.1" : String(name)) else { throw mistake }
        self.init(host, port: port)
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt16(text)
    }

    /// Whether only this machine can connect.
    public var isLoopback: Bool {
        switch host.version {
        case .ipv4: host.bytes.first == 127
        case .ipv6:
            host.bytes == [UInt8](repeating: 0, count: 15) + [1]
                || (host.bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) && host.bytes[12] == 127)
        }
    }

    /// The address and the port, as a URL has them.
    public var description: String {
        host.version == .ipv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension HostAddress {
    /// Without its scope.
    var literal: String { HostAddress(bytes: bytes).map { "\($0)" } ?? "\(self)" }
}
