// SPDX-License-Identifier: Apache-2.0

extension ScriptedInternet {
    /// The server's reaction to one request.
    public struct Response: Sendable {
        indirect enum Kind: Sendable {
            case bytes([UInt8])
            case drip([UInt8], every: Duration)
            case endless(start: [UInt8], again: [UInt8])
            case later(Duration, Kind)
            case silence
            case reset
        }

        let kind: Kind

        /// A response with a body and its length.
        public static func answer(_ status: Int, fields: [String: String] = [:], body: String = "") -> Self {
            answer(status, fields: fields, bytes: Array(body.utf8))
        }

        /// A response with a body of bytes.
        public static func answer(_ status: Int, fields: [String: String] = [:], bytes: [UInt8]) -> Self {
            var fields = fields
            if status != 204 { fields["Content-Length"] = "\(bytes.count)" }
            return Self(kind: .bytes(head(status, fields) + bytes))
        }

        /// A redirect; nil for one without a location.
        public static func redirect(to location: String?, status: Int = 302) -> Self {
            answer(status, fields: location.map { ["Location": $0] } ?? [:])
        }

        /// These bytes, HTTP or not; then the connection ends.
        public static func raw(_ bytes: [UInt8]) -> Self { Self(kind: .bytes(bytes)) }

        /// The same, a while later.
        public func after(_ delay: Duration) -> Self { Self(kind: .later(delay, kind)) }

        /// The same, one byte at a time; responses without bytes are unchanged.
        public func dripping(every interval: Duration) -> Self {
            guard case .bytes(let bytes) = kind else { return self }
            return Self(kind: .drip(bytes, every: interval))
        }

        /// No answer, for as long as the client waits.
        public static let silence = Self(kind: .silence)

        /// A reset of the connection.
        public static let reset = Self(kind: .reset)

        /// Header fields without end.
        public static let endlessHeaders = Self(
            kind: .endless(
                start: Array("HTTP/1.1 200 OK\r\n".utf8), again: Array("X-More: and more, and more, and more\r\n".utf8))
        )

        /// A body without end.
        public static let endlessBody = Self(
            kind: .endless(start: head(200, ["Content-Type": "text/html"]), again: Array("<p>more</p>\n".utf8)))

        /// A response that claims to be compressed and would exhaust the memory of a client that decompresses it.
        public static let gzipBomb = Self(
            kind: .endless(
                start: head(200, ["Content-Encoding": "gzip"]) + [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
                again: [UInt8](repeating: 0, count: 1024)))

        private static func head(_ status: Int, _ fields: [String: String]) -> [UInt8] {
            let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
            return Array("HTTP/1.1 \(status) Scripted\r\nConnection: close\r\n\(lines.joined())\r\n".utf8)
        }
    }
}
