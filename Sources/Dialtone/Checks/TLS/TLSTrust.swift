// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
import SystemSupport

/// The trusted certificates: the system's trust store, and additional anchors.
///
/// Reading a store takes tens of milliseconds, so it is kept for ten minutes; changes to the system's are noticed then.
// @unchecked: the pointer never changes, and OpenSSL guards what it points to for any number of threads.
@safe final class TLSTrust: @unchecked Sendable {
    let pointer: OpaquePointer

    private static let kept = Mutex<[(anchors: [String], time: ContinuousClock.Instant, trust: TLSTrust)]>([])
    private static let lifetime = Duration.seconds(600)
    private static let most = 8

    private init(_ anchors: [String]) throws(TLSFailure) {
        let pem = anchors.joined(separator: "\n")
        // With an empty store every certificate would look forged, although only this system's CA certificates are missing.
        if pem.isEmpty, TLSSession.unavailability == nil, !COpenSSL_hasTrustStore() {
            throw .unavailable("no CA certificates are installed")
        }
        unsafe pointer = try unsafe TLSSession.make { unsafe COpenSSL_trustCreate(pem, pem.utf8.count, $0, $1) }
    }

    deinit { unsafe COpenSSL_trustDestroy(pointer) }

    /// The system's store with more certificates (PEM).
    ///
    /// Other threads wait while it is read, so that it is read once.
    static func shared(additionalAnchors anchors: [String]) throws(TLSFailure) -> TLSTrust {
        let result: Result<TLSTrust, TLSFailure> = kept.withLock { kept in
            let now = TimeSource.system.now
            kept.removeAll { $0.time.duration(to: now) > lifetime }
            if let entry = kept.first(where: { $0.anchors == anchors }) { return .success(entry.trust) }
            return Result { () throws(TLSFailure) in
                let trust = try TLSTrust(anchors)
                kept = kept.suffix(most - 1) + [(anchors, now, trust)]
                return trust
            }
        }
        return try result.get()
    }
}
