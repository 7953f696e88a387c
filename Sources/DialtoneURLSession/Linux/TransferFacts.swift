// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Dialtone
import Foundation
import FoundationNetworking
import SystemSupport

/// What libcurl knows about a loader's transfer, and Foundation's errors leave out.
///
/// Foundation exposes neither libcurl's handle nor the bytes of a request, so this reflects on the loader, and calls
/// Foundation's own function that reads such facts. If either ever changes, which is logged once, there are no facts:
/// requests that may have been sent are then not repeated, and a lost network is not noticed before a timeout.
struct TransferFacts: Hashable, Sendable {
    /// The number of bytes of requests that have been sent, without their bodies; 0 if nothing was sent.
    var sentBytes = 0
    /// The error number of the last attempt to connect, to send or to receive that failed; 0 without one.
    var connectError: Int32 = 0
    /// OpenSSL's reason for not trusting the server's certificate (`X509_V_ERR_…`); 0 or `noCertificate` without one.
    var certificateError = 0
    /// Whether a connection was made; its handshake may have failed.
    var isConnected = false
    /// The connection's address on this machine; nil before there is one.
    var localAddress: NetworkAddress?
    /// The address of the connection's other end: the server or the proxy; nil before there is one.
    var remoteAddress: NetworkAddress?

    /// The two ends of a connection.
    struct Connection: Hashable, Sendable {
        let local: NetworkAddress?
        let remote: NetworkAddress?
    }

    /// OpenSSL's `X509_V_ERR_UNSPECIFIED`, which is the value until a certificate has arrived.
    static let noCertificate = 1

    /// Whether the other end reset the connection, perhaps before this machine had noticed that it was established.
    var wasReset: Bool { [ECONNRESET, EPIPE].contains(connectError) }

    var connection: Connection { Connection(local: localAddress, remote: remoteAddress) }
}

extension TransferFacts {
    /// Reads the facts; nil for a loader without a readable handle, which is logged once if the loader is Foundation's own.
    ///
    /// Call it on the queue of the loader's task: libcurl runs on a serial queue that this queue targets, so that
    /// nothing uses the handle meanwhile.
    init?(of loader: URLProtocol) {
        let transfer = Mirror.property(.easyHandle, of: loader)
        // A program's own protocol class has no handle.
        guard transfer != nil || String(reflecting: type(of: loader)).hasPrefix("FoundationNetworking.") else {
            return nil
        }
        // The object frees the handle when it is released.
        let facts = withExtendedLifetime(transfer) {
            unsafe (transfer.flatMap { Mirror.property(.rawHandle, of: $0) } as? UnsafeMutableRawPointer).flatMap {
                unsafe Self(handle: $0)
            }
        }
        guard let facts else {
            if Self.hasExplainedUnreadableHandle.set() {
                NSLog(
                    "%@",
                    "The transfer of a URLSession task cannot be inspected in this version of Foundation: failed requests are "
                        + "not repeated, and a lost network is noticed by timeouts only. Update Dialtone.")
            }
            return nil
        }
        self = facts
    }

    private static let hasExplainedUnreadableHandle = OnceFlag()

    private init?(handle: UnsafeMutableRawPointer) {
        guard let sent = unsafe Self.number(.requestSize, handle), let error = unsafe Self.number(.connectError, handle)
        else { return nil }
        sentBytes = sent
        connectError = Int32(truncatingIfNeeded: error)
        certificateError = unsafe Self.number(.certificateError, handle) ?? 0
        localAddress = unsafe Self.text(.localAddress, handle).flatMap(NetworkAddress.init)
        remoteAddress = unsafe Self.text(.remoteAddress, handle).flatMap(NetworkAddress.init)
        // While a handshake has not succeeded, libcurl 7.88 knows the address, and 8.14 the time.
        let connectTime = unsafe Self.seconds(.connectTime, handle) ?? 0
        isConnected = localAddress != nil || connectTime > 0
    }

    /// The numbers of facts in `curl/curl.h`.
    private enum Fact: Int32 {
        /// `CURLINFO_REQUEST_SIZE`
        case requestSize = 0x20_000C
        /// `CURLINFO_SSL_VERIFYRESULT`
        case certificateError = 0x20_000D
        /// `CURLINFO_OS_ERRNO`
        case connectError = 0x20_0019
        /// `CURLINFO_CONNECT_TIME`
        case connectTime = 0x30_0005
        /// `CURLINFO_PRIMARY_IP`
        case remoteAddress = 0x10_0020
        /// `CURLINFO_LOCAL_IP`
        case localAddress = 0x10_0029
    }

    private static func number(_ fact: Fact, _ handle: UnsafeMutableRawPointer) -> Int? {
        unsafe value(fact, handle, 0, readNumber)
    }

    private static func seconds(_ fact: Fact, _ handle: UnsafeMutableRawPointer) -> Double? {
        unsafe value(fact, handle, 0, readSeconds)
    }

    private static func text(_ fact: Fact, _ handle: UnsafeMutableRawPointer) -> String? {
        let none: UnsafePointer<CChar>? = nil
        return unsafe value(fact, handle, none, readText).flatMap(\.self).map { unsafe String(cString: $0) }
    }

    /// The value of a fact; nil without the function that reads it, or if that fails.
    private static func value<Value: BitwiseCopyable>(
        _ fact: Fact, _ handle: UnsafeMutableRawPointer, _ initial: Value, _ read: Read?
    ) -> Value? {
        var value = initial
        // Each function writes a value of the type that its caller has passed.
        guard let read = unsafe read, unsafe read(handle, fact.rawValue, &value) == 0 else { return nil }
        return value
    }

    private typealias Read =
        @convention(c) (UnsafeMutableRawPointer, Int32, _ value: UnsafeMutableRawPointer) -> Int32

    private static let readNumber = unsafe function("CFURLSession_easy_getinfo_long", as: Read.self)
    private static let readSeconds = unsafe function("CFURLSession_easy_getinfo_double", as: Read.self)
    private static let readText = unsafe function("CFURLSession_easy_getinfo_charp", as: Read.self)

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        guard let address = unsafe dlsym(dlopen(nil, RTLD_NOW), name) else { return nil }
        return unsafe unsafeBitCast(address, to: type)
    }
}

#endif
