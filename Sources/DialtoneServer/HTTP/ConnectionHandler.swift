// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Logging
import NIOCore
import NIOHTTP1
import SystemSupport

/// Limits one connection: the time for each request and each response, and what the decoder lets pass.
///
/// It stands between NIO's HTTP decoder and Hummingbird's handlers, and runs on the connection's event loop.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limits: ServerLimits
    private let rules: RequestRules
    private let table: ConnectionTable
    private let logger: Logger
    private let identifier: UInt64
    private var deadline: Scheduled<Void>?
    /// The requests that have begun and are not answered.
    private var requests = 0
    /// Whether the head of a request has arrived, and its body has not.
    private var isInBody = false
    /// Whether bytes of a next request have arrived, but not its head.
    private var isInHead = false
    /// Whether the connection ends after the requests that have begun; further ones are dropped.
    private var isEnding = false
    /// Whether the current response is a stream, which may last for any time as long as the client reads it.
    private var isStreaming = false

    /// - Parameter identifier: that of the connection in the table.
    init(_ limits: ServerLimits, _ table: ConnectionTable, _ identifier: UInt64, _ logger: Logger) {
        self.limits = limits
        self.table = table
        self.identifier = identifier
        self.logger = logger
        rules = RequestRules(limits: limits)
    }

    // MARK: The connection

    func channelActive(context: ChannelHandlerContext) {
        if table.admit(identifier, from: context.channel.remoteAddress.flatMap(Peer.init)) {
            allow(limits.requestTime, context)
        } else {
            send(Response.problem(503, "Too many connections. Try again shortly.").adding("Retry-After", "5"), context)
            // Without a moment to read it: many such connections would use up the descriptors.
            isEnding = true
            context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A client that has ended its side still gets the response to its request, but a stream ends.
        if case ChannelEvent.inputClosed = event, requests == 0 || isStreaming || isEnding {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes the connection unless something else happens within a time; nil for any time.
    private func allow(_ time: Duration?, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = time.map { time in
            let context = NIOLoopBound(context, eventLoop: context.eventLoop)
            return context.value.eventLoop.scheduleTask(in: TimeAmount(time)) { context.value.close(promise: nil) }
        }
    }

    // MARK: Requests

    /// Called with the bytes of each read, before the decoder gets them.
    func willDecode(context: ChannelHandlerContext) {
        guard requests == 0, !isInHead, !isEnding else { return }
        // The time limit counts from a request's first byte; more bytes do not extend it.
        isInHead = true
        allow(limits.requestTime, context)
    }

    /// Called after the decoder got the bytes of a read.
    ///
    /// - Parameter endsInEmptyLine: whether the bytes end as the head of a request does. What follows a body is not looked at,
    ///   because a connection ends after a request with a body.
    func didDecode(endsInEmptyLine: Bool) { isInHead = !isInBody && !endsInEmptyLine }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding || isInBody else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            if let problem = rules.problem(with: head) {
                refuse(problem, context)
                return
            }
            requests += 1
            isInBody = true
            let options = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
            if head.version != .http1_1 || options.contains("close") || rules.bodyLength(of: head) > 0
                || table.isClosing
            {
                isEnding = true
                // Hummingbird ends the connection after the response to such a request.
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .end:
            isInBody = false
            if requests == 1 { noteState(context) }
            context.fireChannelRead(data)
        case .body: context.fireChannelRead(data)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError {
            refuse(RequestRules.problem(error), context)
        } else {
            logger.debug("connection failed", metadata: ["error": "\(error)"])
            context.close(promise: nil)
        }
    }

    /// Answers a request that nothing else sees, and ends the connection.
    private func refuse(_ problem: RequestError, _ context: ChannelHandlerContext) {
        isInBody = false
        // The response to an earlier request is not interrupted.
        guard requests == 0, !isEnding else {
            isEnding = true
            return
        }
        isEnding = true
        send(Response.problem(problem.status, problem.message), context)
        end(context)
    }

    /// Sends a response of the connection itself.
    private func send(_ response: Response, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: response.status))
        for (name, value) in response.fields { head.headers.add(name: name, value: value) }
        head.headers.add(name: "Content-Length", value: "\(response.bytes.count)")
        head.headers.add(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(.init(bytes: response.bytes)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Ends this side of the connection, and gives the client a moment to read the response and end its side.
    ///
    /// Closing both at once would reset the connection if the client is still sending, and the response would be lost.
    private func end(_ context: ChannelHandlerContext) {
        context.close(mode: .output, promise: nil)
        allow(limits.lingerTime, context)
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isStreaming = !head.headers.contains(name: "content-length") && ![204, 304].contains(head.status.code)
            if isStreaming || table.isClosing { isEnding = true }
            head.headers.replaceOrAdd(name: "Connection", value: isEnding && requests == 1 ? "close" : "keep-alive")
            // The time limit covers the whole response, or each part of a stream.
            allow(limits.writeTime, context)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body where isStreaming:
            allow(limits.writeTime, context)
            let promise = promise ?? context.eventLoop.makePromise()
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            promise.futureResult.whenSuccess {
                let (handler, context) = bound.value
                if handler.isStreaming { handler.allow(nil, context) }
            }
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            let promise = promise ?? context.eventLoop.makePromise()
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            promise.futureResult.whenSuccess {
                let (handler, context) = bound.value
                handler.requests -= 1
                let isLast = handler.isStreaming || handler.isEnding && handler.requests == 0
                if isLast { handler.end(context) } else { handler.noteState(context) }
                handler.isStreaming = false
            }
            context.write(data, promise: promise)
        }
    }

    /// Sets the time limit for what the connection does now.
    private func noteState(_ context: ChannelHandlerContext) {
        let isAnswering = requests > (isInBody ? 1 : 0)
        table.note(identifier, isWaiting: !isAnswering)
        // The handler of requests limits its own time.
        allow(isAnswering ? nil : isInBody || isInHead ? limits.requestTime : limits.idleTime, context)
    }
}

/// Reports the bytes of a connection to its handler, so that the time limit of a request counts from its first byte.
final class ByteObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let handler: ConnectionHandler

    init(_ handler: ConnectionHandler) { self.handler = handler }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let end = unwrapInboundIn(data).readableBytesView.suffix(4)
        handler.willDecode(context: context)
        context.fireChannelRead(data)
        handler.didDecode(endsInEmptyLine: end.elementsEqual("\r\n\r\n".utf8))
    }
}

extension Peer {
    /// The client at the other end of a connection; nil if its address is not one of the Internet protocols.
    init?(_ address: SocketAddress) {
        guard let address = unsafe address.withSockAddr({ pointer, _ in unsafe NetworkAddress(pointer) }) else {
            return nil
        }
        self.init(address)
    }
}
