// SPDX-License-Identifier: Apache-2.0

import Dialtone
package import DialtoneAgent
import NIOCore
import NIOSSL
import SystemSupport

/// The certificate and the private key with which the server identifies itself over HTTPS.
package struct ServerIdentity: Sendable {
    /// The parameters of every TLS connection with this identity.
    let context: NIOSSLContext
    private let path: String
    private let start: Date
    private let end: Date

    /// Creates an identity from PEM text.
    ///
    /// - Parameters:
    ///   - certificate: the server's certificate, followed by those of intermediate authorities.
    ///   - path: the name of the certificate's file, for messages.
    ///   - key: the private key of the server's certificate, without a passphrase.
    ///   - keyPath: the name of the key's file, for messages.
    /// - Throws: ``ServiceError`` if either is unreadable, or if they do not belong together.
    package init(certificate: [UInt8], at path: String, key: [UInt8], at keyPath: String) throws(ServiceError) {
        // An empty array has no address for BoringSSL to read from.
        guard !certificate.isEmpty, let chain = try? NIOSSLCertificate.fromPEMBytes(certificate), let own = chain.first
        else { throw ServiceError("cannot use \(path): it contains no certificate in PEM format", .certificate) }
        guard !key.isEmpty, let secret = try? NIOSSLPrivateKey(bytes: key, format: .pem) else {
            throw ServiceError(
                "cannot use \(keyPath): it contains no private key in PEM format without a passphrase")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // A peer that does not answer the closing alert must not hold its descriptor.
        configuration.shutdownTimeout = .zero
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ServiceError("cannot use \(keyPath): it is not the private key of the certificate in \(path)")
        }
        self.path = path
        start = Date(timeIntervalSince1970: Double(own.notValidBefore))
        end = Date(timeIntervalSince1970: Double(own.notValidAfter))
    }

    /// Why browsers refuse the certificate at a time; nil if it is valid then.
    func problem(at time: Date) -> String? {
        if time > end { return "the certificate in \(path) expired on \(end.iso8601): renew it" }
        if time < start { return "the certificate in \(path) is not valid before \(start.iso8601): check the clock" }
        return nil
    }
}
