// SPDX-License-Identifier: Apache-2.0

/// Why the agent or the server cannot run, or not with a configuration.
package struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds that a program distinguishes.
    package enum Kind: Hashable, Sendable {
        /// A setting is invalid.
        case configuration
        /// The token of the collector is invalid.
        case token
        /// The certificate of the server cannot be used.
        case certificate
        /// The system refuses, although the configuration is valid.
        case system
    }

    /// A description of the problem and its remedy.
    package let description: String
    package let kind: Kind

    package init(_ description: String, _ kind: Kind = .configuration) {
        self.description = description
        self.kind = kind
    }
}
