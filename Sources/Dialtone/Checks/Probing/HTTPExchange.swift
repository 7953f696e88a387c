// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import SystemSupport

/// One request and its response over a connection, on its own thread.
///
/// `result` holds the progress so far at any time.
struct HTTPExchange {
    let request: ProbeRequest
    /// The proxy to go through; nil goes to the target itself.
    let proxy: ProxySettings.Proxy?
    let socket: any NetworkSocket
    let sockets: any NetworkSockets
    var result: ProbeResult

    mutating func run() -> ProbeResult {
        do throws(ProbeError) {
            let stream = ByteStream(socket, sockets)
            defer {
                result.packets = SentPackets([socket.packetCounts].compactMap(\.self))
                stream.end()
            }
            if request.target.isSecure { try secure(stream) }
            try request(over: stream)
        } catch {
            result.error = error
        }
        return result
    }

    private mutating func secure(_ stream: ByteStream) throws(ProbeError) {
        let start = time.now
        defer { result.durations.tls = time.now - start }
        let deadline = deadline(request.configuration.timeouts.tls)
        request.progress.enter(proxy == nil ? .tls : .proxy, result, at: time.now)
        if let proxy {
            try openTunnel(stream, through: proxy, until: deadline)
            request.progress.enter(.tls, result, at: time.now)
        }
        try Self.during(.tls) { () throws(ByteStream.Failure) in
            try stream.start(
                clientOf: request.target.host, trusting: request.configuration.additionalTrustAnchors, until: deadline)
        }
    }

    private func openTunnel(
        _ stream: ByteStream, through proxy: ProxySettings.Proxy, until deadline: ContinuousClock.Instant
    ) throws(ProbeError) {
        try Self.during(.proxy) { () throws(ByteStream.Failure) in
            let authority = request.target.authority
            try stream.send(Self.head("CONNECT \(authority)", authority, proxy.fields), until: deadline)
        }
        // The proxy sends nothing after its header section until the client does.
        var parser = HTTPResponseParser(HTTPLimits(bodyBytes: 0))
        while !parser.hasHeaders { _ = try receive(stream, &parser, .proxy, until: deadline) }
        guard let status = parser.response?.status, (200..<300).contains(status) else {
            throw .proxy(answering: parser.response?.status ?? 0)
        }
    }

    private mutating func request(over stream: ByteStream) throws(ProbeError) {
        let limits = HTTPLimits(bodyBytes: request.configuration.bodyLimit)
        var parser = HTTPResponseParser(limits)
        // The overhead of chunked framing is bounded, too.
        var bytesLeft = limits.headerBytes + 4 * limits.bodyBytes + 64 * 1024

        let start = time.now
        request.progress.enter(.headers, result, at: time.now)
        var deadline = deadline(request.configuration.timeouts.headers)
        try Self.during(.headers) { () throws(ByteStream.Failure) in try stream.send(bytes, until: deadline) }
        while !parser.hasHeaders { bytesLeft -= try receive(stream, &parser, .headers, until: deadline) }
        result.durations.headers = time.now - start
        result.response = parser.response
        if parser.isDone || parser.response.map(request.isEnough) ?? false { return }

        let bodyStart = time.now
        request.progress.enter(.body, result, at: time.now)
        defer {
            result.durations.body = time.now - bodyStart
            result.response = parser.response
        }
        deadline = self.deadline(request.configuration.timeouts.body)
        while !parser.isDone, bytesLeft > 0 { bytesLeft -= try receive(stream, &parser, .body, until: deadline) }
        let wasCut = parser.response.map { !$0.isComplete && $0.body.count < limits.bodyBytes } ?? false
        if wasCut, bytesLeft > 0 { throw ProbeError(.connectionLost, during: .body, "it ended inside the body") }
    }

    /// Receives some bytes of a response, and returns their number.
    private func receive(
        _ stream: ByteStream, _ parser: inout HTTPResponseParser, _ step: ProbeError.Step,
        until deadline: ContinuousClock.Instant
    ) throws(ProbeError) -> Int {
        let bytes = try Self.during(step) { () throws(ByteStream.Failure) in try stream.receive(until: deadline) }
        do throws(HTTPViolation) {
            if bytes.isEmpty { try parser.end() } else { try parser.append(bytes) }
        } catch {
            throw ProbeError(error == .endedEarly ? .connectionLost : .malformedResponse, during: step, error.rawValue)
        }
        return bytes.count
    }

    /// The request; a proxy is given the whole URL (RFC 9112, section 3.2.2).
    private var bytes: [UInt8] {
        let isForProxy = proxy != nil && !request.target.isSecure
        let host = request.target.hostField
        let target = isForProxy ? request.url : request.path
        let fields = request.fields + (isForProxy ? proxy?.fields ?? [] : [])
        guard let body = request.body else { return Self.head("GET \(target)", host, fields) }
        let length = HTTPResponse.Field(name: "Content-Length", value: "\(body.count)")
        return Self.head("POST \(target)", host, fields + [length]) + body
    }

    /// The request line and the header section (RFC 9112).
    private static func head(_ request: String, _ host: String, _ fields: [HTTPResponse.Field]) -> [UInt8] {
        let lines = ["\(request) HTTP/1.1", "Host: \(host)"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private var time: TimeSource { sockets.time }

    private func deadline(_ step: Duration) -> ContinuousClock.Instant { min(time.now + step, request.deadline) }
}

#endif
