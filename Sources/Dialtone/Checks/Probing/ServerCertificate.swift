// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// The certificate that a TLS server presents, and what a client that verifies it would say.
package struct ServerCertificate: Hashable, Sendable {
    /// The time until which the certificate is valid; nil if the handshake failed before the server sent it.
    package var expiry: Date?
    /// Why a client refuses the server: the certificate is not trusted, expired or for another name, or TLS failed.
    package var problem: ProbeError?
}

extension ServerCertificate {
    /// Connects to a server, and reads its certificate.
    ///
    /// The handshake accepts any certificate, so that it also shows the expiry of a bad one. No data is sent after it.
    ///
    /// - Parameters:
    ///   - host: the name to verify and to send, or a numeric address.
    ///   - address: an address of the host.
    ///   - timeout: the time limit of the connection and the handshake together.
    /// - Returns: nil if the server could not be connected to or did not answer in time, and if this system has no TLS, or is Apple's.
    package static func read(
        of host: String, at address: NetworkAddress, port: UInt16, trusting anchors: [String] = [],
        timeout: Duration = .seconds(10)
    ) async -> ServerCertificate? {
        #if canImport(Darwin)
        return nil
        #else
        return await KernelSocketRunner().run("dialtone.certificate") { sockets -> ServerCertificate? in
            let deadline = sockets.time.now + timeout
            let pace = HappyEyeballs.Pace(bound: timeout)
            let (ending, _) = SocketRace.run([address], port: port, pace: pace, sockets) { address throws(ProbeError) in
                try ProbeSocket(sockets).open(for: address)
            }
            guard let socket = ending.socket else { return nil }
            let stream = ByteStream(socket, sockets)
            defer { stream.end() }
            do {
                let session = try TLSSession(clientOf: host, additionalTrustAnchors: anchors)
                session.acceptAnyCertificate()
                try stream.start(session, until: deadline)
                return ServerCertificate(
                    expiry: session.certificateExpiry, problem: session.certificateFailure.map { ProbeError.tls($0) })
            } catch ByteStream.Failure.tls(let failure) {
                return ServerCertificate(expiry: nil, problem: .tls(failure))
            } catch {
                return nil
            }
        } ?? nil
        #endif
    }
}
