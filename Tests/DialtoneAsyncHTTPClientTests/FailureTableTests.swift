// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
import DialtoneAsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

/// The failure that each error of the client represents, as a table.
struct FailureTableTests {
    struct Row: Sendable, CustomStringConvertible {
        let error: any Error
        let kind: RequestFailure.Kind
        let mayHaveReachedServer: Bool

        init(_ error: any Error, _ kind: RequestFailure.Kind, never: Bool = false) {
            self.error = error
            self.kind = kind
            mayHaveReachedServer = !never
        }

        var description: String { "\(error)" }
    }

    private static func kernel(_ number: Int32) -> IOError { IOError(errnoCode: number, reason: "test") }

    static let rows = [
        Row(HTTPClientError.connectTimeout, .timedOut, never: true),
        Row(HTTPClientError.tlsHandshakeTimeout, .timedOut, never: true),
        Row(HTTPClientError.socksHandshakeTimeout, .timedOut, never: true),
        Row(HTTPClientError.httpProxyHandshakeTimeout, .timedOut, never: true),
        Row(HTTPClientError.getConnectionFromPoolTimeout, .timedOut, never: true),
        Row(HTTPClientError.deadlineExceeded, .timedOut),
        Row(HTTPClientError.readTimeout, .timedOut),
        Row(HTTPClientError.writeTimeout, .timedOut),
        Row(HTTPClientError.remoteConnectionClosed, .connectionLost),
        Row(HTTPClientError.uncleanShutdown, .connectionLost),
        Row(HTTPClientError.cancelled, .cancelled),
        Row(HTTPClientError.invalidURL, .invalidRequest),
        Row(HTTPClientError.unsupportedScheme("gopher"), .unknown),
        Row(HTTPClientError.redirectLimitReached, .redirectLoop),
        Row(HTTPClientError.redirectCycleDetected, .redirectLoop),
        Row(kernel(ECONNREFUSED), .cannotConnect, never: true),
        Row(kernel(EADDRNOTAVAIL), .cannotConnect, never: true),
        // An established connection can end with these errors too.
        Row(kernel(ENETUNREACH), .cannotConnect),
        Row(kernel(EHOSTUNREACH), .cannotConnect),
        Row(kernel(ETIMEDOUT), .timedOut),
        Row(kernel(ECONNRESET), .connectionLost),
        Row(kernel(EPIPE), .connectionLost),
        Row(kernel(EPERM), .notAllowed),
        Row(kernel(EMFILE), .unknown),
        Row(ChannelError.connectTimeout(.seconds(1)), .timedOut, never: true),
        Row(ChannelError.eof, .connectionLost),
        Row(ChannelError.ioOnClosedChannel, .connectionLost),
        Row(ChannelError.operationUnsupported, .unknown),
        Row(HTTPParserError.invalidEOFState, .connectionLost),
        Row(HTTPParserError.invalidStatus, .unknown),
        Row(NIOSSLError.handshakeFailed(.zeroReturn), .tlsFailure, never: true),
        Row(NIOSSLError.unableToValidateCertificate, .tlsFailure, never: true),
        Row(NIOSSLError.uncleanShutdown, .connectionLost),
        Row(NIOSSLError.readInInvalidTLSState, .tlsFailure),
        Row(NIOSSLExtraError.failedToValidateHostname, .tlsFailure, never: true),
        Row(BoringSSLError.zeroReturn, .tlsFailure),
    ]

    @Test(arguments: rows) func `an error gives the kind of failure, and whether it may have arrived`(row: Row) {
        let failure = RequestFailure(row.error)
        #expect(failure.kind == row.kind)
        #expect(failure.mayHaveReachedServer == row.mayHaveReachedServer)
    }

    @Test(
        arguments: [
            (.GET, true), (.HEAD, true), (.OPTIONS, true), (.PUT, true), (.DELETE, true), (.POST, false),
            (.PATCH, false), (.RAW(value: "get"), false), (.RAW(value: ""), false),
        ] as [(HTTPMethod, Bool)])
    func `a method determines whether a request is idempotent, and a body that may be a stream never is`(
        method: HTTPMethod, isIdempotent: Bool
    ) {
        var request = HTTPClientRequest(url: "http://192.0.2.1/")
        request.method = method
        #expect(request.isIdempotent == isIdempotent)
        #expect(WaitingPolicy(request, .verified).isIdempotent == isIdempotent)
        request.body = .bytes(ByteBuffer(string: "once"))
        #expect(!request.isIdempotent)
    }
}
#endif
