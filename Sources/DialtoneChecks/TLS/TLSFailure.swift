// SPDX-License-Identifier: Apache-2.0

/// Why a TLS session failed.
package enum TLSFailure: Error, Hashable, Sendable {
    /// The system has no TLS library or no CA certificates.
    case unavailable(String)
    /// The certificate was refused: OpenSSL's number (`X509_V_ERR_…`) and text.
    case certificate(Int, String)
    /// The handshake or the session failed, in OpenSSL's words.
    case broken(String)
}
