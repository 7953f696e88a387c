// SPDX-License-Identifier: Apache-2.0

/// The reason why the server cannot run.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    ///
    /// New codes may be added in any version, so a `switch` over it needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String) { description = name }

        /// The listen address is malformed, or is not an address of this machine.
        public static let badAddress = Self("badAddress")
        /// Another process already listens on this port.
        public static let portInUse = Self("portInUse")
        /// The system does not permit this user to listen on this address.
        public static let notPermitted = Self("notPermitted")
        /// Other machines could connect, but there is no token.
        public static let noToken = Self("noToken")
        /// The token is too short or cannot be read.
        public static let badToken = Self("badToken")
        /// The certificate cannot be read.
        public static let badCertificate = Self("badCertificate")
        /// The private key cannot be read, or does not belong to the certificate.
        public static let badKey = Self("badKey")
        /// A host name is invalid.
        public static let badHost = Self("badHost")
        /// The system reported another error.
        public static let system = Self("system")
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
