//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Turns the name of a host into addresses: the seam through which tests and other resolvers come in.
public protocol NameResolver: Sendable {
    /// The addresses of a host, most preferred first.
    ///
    /// It must not block its thread. When the task is cancelled, its answer is no longer waited for.
    ///
    /// - Parameters:
    ///   - host: a name; numeric addresses are not asked about.
    ///   - family: which addresses are wanted.
    /// - Throws: `ProbeError` with `hostNotFound`, `noAddress` or `nameServerFailure`; any other error counts as the last.
    func addresses(of host: String, family: NetworkAddress.Family) async throws -> [NetworkAddress]
}

extension ProbeError {
    /// An error of name resolution: its code and words.
    package static func resolving(_ code: Code, _ message: String = "") -> Self {
        Self(code, during: .resolve, message)
    }
}
