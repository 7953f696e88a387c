// SPDX-License-Identifier: Apache-2.0

/// The reason why the server cannot run.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// The listen address is malformed, or is not an address of this machine.
        case badAddress
        /// Another process already listens on this port.
        case portInUse
        /// The system does not permit this user to listen on this address.
        case notPermitted
        /// Other machines could connect, but there is no token.
        case noToken
        /// The token is too short or cannot be read.
        case badToken
        /// The certificate cannot be read.
        case badCertificate
        /// The private key cannot be read, or does not belong to the certificate.
        case badKey
        /// A host name is invalid.
        case badHost
        /// The system reported another error.
        case system
    }

    /// The kind of error.
    public let code: Code
    /// A description of the problem and its remedy.
    public let description: String

    /// Creates an error with a code and a description.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
