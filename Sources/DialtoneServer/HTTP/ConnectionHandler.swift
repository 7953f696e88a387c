// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Logging
import NIOCore
import NIOHTTP1
import SystemSupport

/// Limits one connection: what the decoder lets pass, and by ``ConnectionMachine`` the time for each request and each response.
///
/// It stands between NIO's HTTP decoder and Hummingbird's handlers, and runs on the connection's event loop.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let rules: RequestRules
    private let table: ConnectionTable
    private let logger: Logger
    private let identifier: UInt64
    private let time: TimeSource
    private var machine: ConnectionMachine
    /// The next call of `alarmRang(_:)`, at the machine's deadline or before it.
    private var alarm: (time: Duration, cancel: TimeSource.Cancellation)?

    /// - Parameter identifier: that of the connection in the table.
    init(_ limits: ServerLimits, _ table: ConnectionTable, _ identifier: UInt64, _ logger: Logger, _ time: TimeSource) {
        self.table = table
        self.identifier = identifier
        self.logger = logger
        self.time = time
        rules = RequestRules(limits: limits)
        machine = ConnectionMachine(limits)
    }

    // MARK: The connection

    func channelActive(context: ChannelHandlerContext) {
        let isAdmitted = table.admit(identifier, from: context.channel.remoteAddress.flatMap(Peer.init))
        handle(context) { $0.opened(isAdmitted: isAdmitted, at: $1) }
        if !isAdmitted {
            send(Response.problem(503, "Too many connections. Try again shortly.").adding("Retry-After", "5"), context)
            // Without a moment to read it: many such connections would use up the descriptors.
            context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        handle(context) { machine, _ in machine.closed() }
        alarm?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event, machine.endsWithInput { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Passes an event to the machine, and sets the alarm that its deadline needs.
    @discardableResult
    private func handle<Result>(
        _ context: ChannelHandlerContext, _ event: (inout ConnectionMachine, _ now: Duration) -> Result
    ) -> Result {
        defer { setAlarm(context) }
        return event(&machine, time.moment.boottime)
    }

    /// Sets the alarm, unless it rings before the deadline: most deadlines are replaced by later ones, for which it is set when it
    /// rings.
    private func setAlarm(_ context: ChannelHandlerContext) {
        guard let deadline = machine.deadline, alarm.map({ deadline < $0.time }) ?? true else { return }
        alarm?.cancel()
        let loop = context.eventLoop
        let bound = NIOLoopBound((self, context), eventLoop: loop)
        let cancel = time.call(at: deadline) {
            loop.execute { bound.value.0.alarmRang(bound.value.1) }
        }
        alarm = (deadline, cancel)
    }

    private func alarmRang(_ context: ChannelHandlerContext) {
        alarm = nil
        if let deadline = machine.deadline, deadline <= time.moment.boottime {
            context.close(promise: nil)
        } else {
            setAlarm(context)
        }
    }

    // MARK: Requests

    /// Called with the bytes of each read, before the decoder gets them; returns whether it does.
    func willDecode(context: ChannelHandlerContext) -> Bool { handle(context) { $0.received(at: $1) } }

    /// Called after the decoder got the bytes of a read.
    func didDecode(endsInEmptyLine: Bool) { machine.decoded(endsInEmptyLine: endsInEmptyLine) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard machine.isReading else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            if let problem = rules.problem(with: head) {
                refuse(problem, context)
                return
            }
            let options = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
            // The decoder keeps what follows an upgrade, for a protocol that is never upgraded to.
            let isLast =
                head.version != .http1_1 || options.contains("close") || head.headers.contains(name: "upgrade")
                || rules.bodyLength(of: head) > 0 || table.isClosing
            machine.requestBegan(isLast: isLast)
            // Hummingbird ends the connection after the response to such a request.
            if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .end:
            handle(context) { $0.requestEnded(at: $1) }
            table.note(identifier, isWaiting: machine.isWaiting)
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
    private func refuse(_ problem: Refusal, _ context: ChannelHandlerContext) {
        guard machine.requestFailed() else { return }
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
        handle(context) { $0.ended(at: $1) }
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var data = data
        let sent: (ConnectionHandler, ChannelHandlerContext) -> Void
        switch unwrapOutboundIn(data) {
        case .head(var head):
            let isStream = !head.headers.contains(name: "content-length") && ![204, 304].contains(head.status.code)
            let continues = handle(context) { [table] in
                $0.responseBegan(isStream: isStream, isLast: table.isClosing, at: $1)
            }
            head.headers.replaceOrAdd(name: "Connection", value: continues ? "keep-alive" : "close")
            data = wrapOutboundOut(.head(head))
            sent = { handler, context in handler.handle(context) { $0.partSent(at: $1) } }
        case .body:
            handle(context) { $0.partBegan(at: $1) }
            sent = { handler, context in handler.handle(context) { $0.partSent(at: $1) } }
        case .end:
            sent = { handler, context in
                if handler.handle(context, { $0.responseSent(at: $1) }) { return handler.end(context) }
                handler.table.note(handler.identifier, isWaiting: handler.machine.isWaiting)
            }
        }
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((self, context, sent), eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess { bound.value.2(bound.value.0, bound.value.1) }
        context.write(data, promise: promise)
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
        guard handler.willDecode(context: context) else { return }
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
