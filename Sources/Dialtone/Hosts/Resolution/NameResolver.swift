// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Resolves the name of a host to addresses; tests and other resolvers conform to it.
public protocol NameResolver: Sendable {
    /// The addresses of a host, most preferred first.
    ///
    /// It must not block its thread. If the task is cancelled, the caller ignores the result.
    ///
    /// - Parameters:
    ///   - host: a name; numeric addresses are not resolved.
    ///   - family: the IP versions to resolve.
    /// - Throws: `ProbeError` with `hostNotFound`, `noAddress` or `nameServerFailure`; any other error counts as
    ///   `nameServerFailure`.
    func addresses(of host: String, family: NetworkAddress.Family) async throws -> [NetworkAddress]
}

extension NameResolver {
    /// The addresses of a name, or why there are none.
    func resolve(_ name: String, _ family: NetworkAddress.Family) async -> Result<[NetworkAddress], HostError> {
        do {
            let found = try await addresses(of: name, family: family)
            return found.isEmpty ? .failure(HostError(.noAddress)) : .success(found)
        } catch {
            return .failure(HostError(resolving: error))
        }
    }
}

extension ProbeError {
    /// An error of name resolution with a code and a text.
    static func resolving(_ code: Code, _ message: String = "") -> Self { Self(code, during: .resolve, message) }
}

/// How a machine in memory resolves names, in place of the C library and its files.
package struct NameServiceHost: Sendable {
    package let nameServers: [NetworkAddress]
    /// The answer that the C library would have, and the time after which it would have it.
    package let lookUp: LookUp

    package typealias LookUp =
        @Sendable (_ name: String, _ family: NetworkAddress.Family) -> (
            answer: Result<[NetworkAddress], ProbeError>, duration: Duration
        )

    package init(nameServers: [NetworkAddress], lookUp: @escaping LookUp) {
        self.nameServers = nameServers
        self.lookUp = lookUp
    }
}
