// SPDX-License-Identifier: Apache-2.0

public import Dialtone
import SystemSupport

/// A listening port.
struct Listener: Sendable {
    enum Kind: Hashable, Sendable { case http, https, captivePortalAPI }

    let kind: Kind
    let socket: Descriptor
    let port: UInt16

    init(_ kind: Kind, on host: NetworkAddress, port: UInt16) throws(ScriptingError) {
        self.kind = kind
        do throws(SystemError) {
            let first = try Self.bind(host, port)
            self.port = try Sockets.port(first)
            // A port chosen by the system is released when the socket stops listening; a requested one is kept.
            socket = port == 0 ? try Self.bind(host, self.port) : first
            try Sockets.startListening(socket, backlog: Self.backlog)
        } catch {
            throw ScriptingError("no server on \(host) port \(port): \(error)")
        }
    }

    private static func bind(_ host: NetworkAddress, _ port: UInt16) throws(SystemError) -> Descriptor {
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

    /// The number of connections that may wait to be accepted; the kernel resets some of those above it.
    private static let backlog: Int32 = 1024
}

extension ScriptedInternet {
    /// A received request.
    public struct RecordedRequest: Hashable, Sendable {
        /// The method, such as `GET`.
        public let method: String
        /// The path and query as they were sent.
        public let target: String
        /// The header fields, in their order.
        public let fields: [InternetCheck.Response.Field]
        /// Whether it came over HTTPS.
        public let isSecure: Bool

        /// The value of the first field with a name, whatever its case.
        public subscript(field name: String) -> String? {
            let name = name.lowercased()
            return fields.first { $0.name.lowercased() == name }?.value
        }

        /// The path without the query.
        public var path: String { String(target.prefix { $0 != "?" }) }

        /// The name in the `Host` field, without the port.
        public var host: String {
            let value = self[field: "host"] ?? ""
            guard !value.hasPrefix("[") else { return String(value.dropFirst().prefix { $0 != "]" }) }
            return String(value.prefix { $0 != ":" })
        }

        /// Reads a request's head; nil if it is malformed.
        init?(head: [UInt8], isSecure: Bool) {
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
            let words = lines.first?.split(separator: " ") ?? []
            guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
            method = String(words[0])
            target = String(words[1])
            fields = lines.dropFirst().compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                return HTTPResponse.Field(name: String(line[..<colon]), value: String(value))
            }
            self.isSecure = isSecure
        }
    }
}
