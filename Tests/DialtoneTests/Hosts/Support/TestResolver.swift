// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import Dialtone

/// Resolves the names that a test defines; every other name does not exist.
struct TestResolver: NameResolver {
    enum Answer: Sendable {
        case addresses([String])
        case error(ProbeError.Code)
        /// Never answers.
        case silence
    }

    var ipv4: [String: Answer] = [:]
    var ipv6: [String: Answer] = [:]

    func addresses(of host: String, family: NetworkAddress.Family) async throws -> [NetworkAddress] {
        switch (family == .ipv4 ? ipv4 : ipv6)[host] {
        case .addresses(let texts): return texts.compactMap { NetworkAddress($0) }
        case .error(let code): throw ProbeError(code, during: .resolve)
        case .silence:
            try await waitForCancellation()
            throw CancellationError()
        case nil: throw ProbeError(.hostNotFound, during: .resolve)
        }
    }
}
