// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

extension Response {
    /// Compresses the body with gzip if the client accepts that.
    ///
    /// Used for what the page loads. The length of a compressed body can reveal its contents to an attacker who adds guesses to it
    /// and observes the traffic (BREACH). The page contains no credentials, and a browser sends the session's cookie only with
    /// requests of this site, so that no other site can add guesses to a visitor's page.
    func compressed(for request: Request) -> Response {
        var response = adding("Vary", "Accept-Encoding")
        guard Request.accepted(request[field: "accept-encoding"]).contains("gzip"), !bytes.isEmpty,
            let compressed = Self.gzip(bytes)
        else { return response }
        response.body = .bytes(compressed)
        return response.adding("Content-Encoding", "gzip")
    }

    /// Compresses bytes with the compressor of swift-nio-extras, which is a handler for a channel.
    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        let channel = EmbeddedChannel(handler: NIOHTTPRequestCompressor(encoding: .gzip))
        defer { _ = try? channel.finish() }
        channel.write(
            HTTPClientRequestPart.head(.init(version: .http1_1, method: .POST, uri: "/")), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
        channel.write(HTTPClientRequestPart.end(nil), promise: nil)
        channel.flush()
        while let part = try? channel.readOutbound(as: HTTPClientRequestPart.self) {
            if case .body(.byteBuffer(let buffer)) = part { return Array(buffer.readableBytesView) }
        }
        return nil
    }
}
