// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Answers a client that speaks HTTP without TLS to a server with TLS, and closes its connection.
///
/// It judges the first bytes, then leaves the pipeline.
final class PlainRequestRefusal: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytesView
        // TLS refuses anything else that is no handshake.
        guard ["GET ", "HEAD ", "POST "].contains(where: { bytes.starts(with: $0.utf8) }) else {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            return
        }
        let text = "This port speaks HTTPS: use a URL that begins with https://.\n"
        let answer = """
            HTTP/1.1 400 Bad Request\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(text.utf8.count)\r
            Connection: close\r
            \r
            \(text)
            """
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        context.close(promise: nil)
    }
}
