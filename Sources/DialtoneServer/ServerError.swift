//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why the server does not run.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in a word.
    ///
    /// New ones may come with any version, so a `switch` over it needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case badAddress, portInUse, notPermitted, noToken, badToken, badHost, system }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The address to listen on cannot be read, or is none of this machine.
        public static let badAddress = Self(.badAddress)
        /// Somebody else listens there.
        public static let portInUse = Self(.portInUse)
        /// The system does not let this user listen there.
        public static let notPermitted = Self(.notPermitted)
        /// Others could connect, and there is no token.
        public static let noToken = Self(.noToken)
        /// The token is too short, or cannot be read.
        public static let badToken = Self(.badToken)
        /// A host's name cannot be read.
        public static let badHost = Self(.badHost)
        /// The system refuses for another reason.
        public static let system = Self(.system)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// What is wrong, in a word.
    public let code: Code
    /// What is wrong, and what to do.
    public let description: String

    /// Makes an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
