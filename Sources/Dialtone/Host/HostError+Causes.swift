//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
    /// What an error number of a connection means.
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

    /// What a resolver's error means.
    init(resolving error: any Error) {
        let code: Code =
            switch (error as? ProbeError)?.code {
            case .hostNotFound?: .nameNotFound
            case .noAddress?: .noAddress
            case .noResources?: .system
            case .timedOut?, .cancelled?: .timedOut
            default: .resolverFailed
            }
        self.init(code)
    }

    /// What is wrong with a name of which each version of the Internet Protocol failed.
    static func combined(_ errors: [HostError]) -> HostError {
        // A server that did not answer may know what the other answer lacked.
        let order: [Code] = [.timedOut, .resolverFailed, .system, .noAddress, .nameNotFound]
        let rank = { (error: HostError) in order.firstIndex(of: error.code) ?? 2 }
        return errors.min { rank($0) < rank($1) } ?? HostError(.noAddress)
    }
}
