//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a TLS session could not be had.
package enum TLSFailure: Error, Hashable, Sendable {
    /// The system has no TLS library, or no certificate to trust, for this reason.
    case unavailable(String)
    /// The certificate was refused: OpenSSL's number (`X509_V_ERR_…`) and words.
    case certificate(Int, String)
    /// The handshake or the session broke, in OpenSSL's words.
    case broken(String)
}
