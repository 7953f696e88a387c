// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import SystemSupport

extension HTTPExchange {
    /// Runs a transfer and adds the step to its failure.
    static func during<Value>(
        _ step: ProbeError.Step, _ body: () throws(ByteStream.Failure) -> Value
    ) throws(ProbeError) -> Value {
        do {
            return try body()
        } catch {
            switch error {
            case .timedOut: throw ProbeError(.timedOut, during: step)
            case .interrupted: throw ProbeError(.cancelled, during: step)
            case .socket(let failure): throw .socket(failure, during: step)
            case .tls(let failure): throw .tls(failure, during: step)
            }
        }
    }
}

extension ProbeError: ConnectionFailure {
    init(connecting failure: SystemError) { self = .connecting(failure) }

    var weight: ConnectionFailureWeight {
        switch code {
        case .noResources, .notPermitted: .inability
        case .refused: .refusal
        case .connectionLost, .timedOut: .noAnswer
        case .unreachable: .noWay
        default: .notTried
        }
    }
}

#endif

extension ProbeError {
    /// The error of a proxy that answers a request with this status itself.
    static func proxy(answering status: Int) -> Self {
        var error = Self(.proxyFailure, during: .proxy, "status \(status)")
        error.proxyStatus = status
        return error
    }

    /// The error of a TLS session.
    static func tls(_ failure: TLSFailure, during step: Step = .tls) -> Self {
        switch failure {
        case .unavailable(let reason): Self(.tlsUnavailable, during: step, reason)
        case .broken(let words): Self(.tlsFailure, during: step, words)
        case .certificate(let number, let words): Self(code(ofVerification: number), during: step, words)
        }
    }

    /// OpenSSL's numbers for what is wrong with a certificate (`openssl-verification-options(1)`).
    private static func code(ofVerification number: Int) -> Code {
        switch number {
        // No issuer found, self-signed, in the chain or alone, or only the first certificate.
        case 2, 18, 19, 20, 21, 27: .untrustedCertificate
        case 62, 64: .wrongCertificateName
        default: .invalidCertificate
        }
    }
}
