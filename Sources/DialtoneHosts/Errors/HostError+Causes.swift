// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

extension HostError {
    /// Creates the error for an error number of a connection.
    init(_ failure: SocketFailure) {
        let code: Code =
            switch failure.number {
            case ECONNREFUSED: .refused
            case ETIMEDOUT: .timedOut
            case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .unreachable
            case ECONNRESET, ECONNABORTED, EPIPE: .reset
            case EACCES, EPERM: .denied
            default: .system
            }
        self.init(code, errorNumber: failure.number)
    }

    /// Creates the error for a resolver's error.
    init(resolving error: any Error) {
        let code: Code =
            switch (error as? ProbeError)?.code {
            case .hostNotFound?: .nameNotFound
            case .noAddress?: .noAddress
            case .noResources?: .system
            case .nameServerRefused?: .resolverRefused
            case .nameServerUnreachable?: .resolverUnreachable
            case .nameServerSilent?, .timedOut?: .resolverSilent
            case .cancelled?: .timedOut
            default: .resolverFailed
            }
        // The same text as in a check, with the servers concerned.
        let words = (error as? ProbeError)?.message ?? ""
        let namesServers =
            words.hasSuffix(")")
            && [.resolverRefused, .resolverSilent, .resolverUnreachable, .resolverFailed].contains(code)
        self.init(code, explanation: namesServers ? words + "." : nil)
    }

    /// The error of a name whose resolution failed for both IP versions.
    static func combined(_ errors: [HostError]) -> HostError {
        // A server that did not answer may know the address that the other answer lacked.
        let order: [Code] = [
            .resolverRefused, .resolverUnreachable, .resolverSilent, .timedOut, .resolverFailed, .system, .noAddress,
            .nameNotFound,
        ]
        let rank = { (error: HostError) in order.firstIndex(of: error.code) ?? 2 }
        return errors.min { rank($0) < rank($1) } ?? HostError(.noAddress)
    }
}

extension HostError: ConnectionFailure {
    package init(connecting failure: SocketFailure) { self.init(failure) }

    package var weight: ConnectionFailureWeight {
        switch code {
        case .refused: .refusal
        case .unreachable: .noWay
        default: .noAnswer
        }
    }
}
