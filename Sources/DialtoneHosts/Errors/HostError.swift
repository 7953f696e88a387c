//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a step on the way to a host failed.
public struct HostError: Error, Hashable, Sendable {
    /// The kind of failure.
    ///
    /// New ones may come with any version, so a `switch` over it needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case unknown, noRoute, nameNotFound, noAddress, resolverFailed, resolverRefused, resolverSilent
            case resolverUnreachable, timedOut, refused, unreachable, reset
            case denied, system
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// It cannot be known, because the system does not let the network be seen.
        public static let unknown = Self(.unknown)
        /// Packets to the host could not leave this machine; `diagnosis` says why.
        public static let noRoute = Self(.noRoute)
        /// There is no such name.
        public static let nameNotFound = Self(.nameNotFound)
        /// The name exists, but has no address.
        public static let noAddress = Self(.noAddress)
        /// The name servers answered with an error.
        public static let resolverFailed = Self(.resolverFailed)
        /// Nothing listens on port 53 of any name server.
        public static let resolverRefused = Self(.resolverRefused)
        /// No name server answered in time.
        public static let resolverSilent = Self(.resolverSilent)
        /// No name server can be reached.
        public static let resolverUnreachable = Self(.resolverUnreachable)
        /// There was no answer within the bound.
        public static let timedOut = Self(.timedOut)
        /// The host answered that nothing listens on the port.
        public static let refused = Self(.refused)
        /// A router on the way, or this machine, said that the host cannot be reached.
        public static let unreachable = Self(.unreachable)
        /// The connection was broken off while it was made.
        public static let reset = Self(.reset)
        /// A firewall of this machine forbids it.
        public static let denied = Self(.denied)
        /// Another error of the system; `errorNumber` says which.
        public static let system = Self(.system)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The system's number (`errno`, or for a resolution `EAI_…`), where there is one.
    public let errorNumber: Int32?
    /// What is missing on this machine, for `noRoute` and `unreachable` where it is known.
    public let diagnosis: PathDiagnosis?
    private let explanation: String?

    /// Creates an error, also for tests and custom resolvers.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - errorNumber: the system's number.
    ///   - diagnosis: what is missing on this machine.
    ///   - explanation: a sentence to show instead of the default one.
    public init(
        _ code: Code, errorNumber: Int32? = nil, diagnosis: PathDiagnosis? = nil, explanation: String? = nil
    ) {
        self.code = code
        self.errorNumber = errorNumber
        self.diagnosis = diagnosis
        self.explanation = explanation
    }
}

extension HostError: CustomStringConvertible {
    /// One plain sentence for a person.
    public var description: String {
        if let explanation { return explanation }
        return switch code {
        case .unknown: "The network cannot be seen."
        case .noRoute: diagnosis?.description ?? "There is no route to it."
        case .nameNotFound: "There is no such name."
        case .noAddress: "The name has no address."
        case .resolverFailed: "The DNS servers answer with an error."
        case .resolverRefused: "The DNS servers refuse queries."
        case .resolverSilent: "The DNS servers did not answer in time."
        case .resolverUnreachable: "The DNS servers cannot be reached."
        case .timedOut: "There was no answer in time."
        case .refused: "Connection refused: the host is there, but nothing listens on this port."
        case .unreachable: diagnosis?.description ?? "No route to it: a router or its link reports it unreachable."
        case .reset: "The host broke the connection off."
        case .denied: "A firewall of this machine forbids it."
        default: errorNumber.map { "The system refused it (error \($0))." } ?? "The system refused it."
        }
    }
}
