//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import CTLSLoader
import Synchronization

/// Whose certificates are believed: the system's trust store, and more.
///
/// Reading a store costs tens of milliseconds, so it is kept for ten minutes; a change to the system's is noticed then.
// @unchecked: the pointer never changes, and OpenSSL guards what it points to for any number of threads.
final class TLSTrust: @unchecked Sendable {
    let pointer: OpaquePointer

    private static let kept = Mutex<[Entry]>([])
    private static let lifetime = Duration.seconds(600)
    private static let most = 8

    private struct Entry {
        let anchors: [String]
        let time: ContinuousClock.Instant
        let trust: TLSTrust
    }

    private init(_ anchors: [String]) throws(TLSFailure) {
        let pem = anchors.joined(separator: "\n")
        // Every host would look like an impostor, when it is this system that knows nobody.
        if pem.isEmpty, TLSSession.unavailability == nil, !CTLS_hasTrustStore() {
            throw .unavailable("no certificates to trust")
        }
        pointer = try TLSSession.make { CTLS_trustCreate(pem, pem.utf8.count, $0, $1) }
    }

    deinit { CTLS_trustDestroy(pointer) }

    /// Whether a file or one of the folders, separated by colons, may hold a certificate.
    static func mayHoldCertificates(file: String?, folders: String?) -> Bool {
        CTLS_mayHoldCertificates(file, folders)
    }

    /// The system's store with more certificates (PEM).
    ///
    /// While it is read, other threads that want one wait, so that it is read once.
    static func shared(additionalAnchors anchors: [String]) throws(TLSFailure) -> TLSTrust {
        let result: Result<TLSTrust, TLSFailure> = kept.withLock { kept in
            let now = ContinuousClock.now
            kept.removeAll { $0.time.duration(to: now) > lifetime }
            if let entry = kept.first(where: { $0.anchors == anchors }) { return .success(entry.trust) }
            return Result { () throws(TLSFailure) in
                let trust = try TLSTrust(anchors)
                kept = kept.suffix(most - 1) + [Entry(anchors: anchors, time: now, trust: trust)]
                return trust
            }
        }
        return try result.get()
    }
}
