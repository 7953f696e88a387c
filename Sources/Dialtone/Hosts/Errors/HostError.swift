// SPDX-License-Identifier: Apache-2.0

import LibC
import SystemSupport

/// Why a step of reaching a host failed.
public struct HostError: Error, Hashable, Sendable {
    /// The code.
    ///
    /// Any version may add codes, so a `switch` over it needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String) { description = name }

        /// Unknown, because the system hides the network.
        public static let unknown = Self("unknown")
        /// Packets to the host could not leave this machine; `diagnosis` says why.
        public static let noRoute = Self("noRoute")
        /// The next router does not answer on its link.
        public static let routerSilent = Self("routerSilent")
        /// There is no such name.
        public static let nameNotFound = Self("nameNotFound")
        /// The name exists, but has no address.
        public static let noAddress = Self("noAddress")
        /// The name servers answered with an error.
        public static let resolverFailed = Self("resolverFailed")
        /// Nothing listens on port 53 of any name server.
        public static let resolverRefused = Self("resolverRefused")
        /// No name server answered in time.
        public static let resolverSilent = Self("resolverSilent")
        /// No name server can be reached.
        public static let resolverUnreachable = Self("resolverUnreachable")
        /// There was no answer within the time limit.
        public static let timedOut = Self("timedOut")
        /// The host refused the connection: nothing listens on the port.
        public static let refused = Self("refused")
        /// A router, or this machine, reported that the host cannot be reached.
        public static let unreachable = Self("unreachable")
        /// The connection was reset while it was being made.
        public static let reset = Self("reset")
        /// A firewall of this machine, or a sandbox, forbids it.
        public static let denied = Self("denied")
        /// Another error of the system; see `errorNumber`.
        public static let system = Self("system")

        /// The errors of name servers that give no answer about a name.
        static let ofNameServers: Set<Self> = [
            .resolverSilent, .resolverFailed, .resolverRefused, .resolverUnreachable,
        ]
    }

    /// The code.
    public let code: Code
    /// The system's number (`errno`, or `EAI_…` for a resolution), if there is one.
    public let errorNumber: Int32?
    /// The missing part on this machine, for `noRoute` and `unreachable`, if known.
    public let diagnosis: PathDiagnosis?
    private let explanation: String?

    /// Creates an error, also for tests and custom resolvers.
    ///
    /// - Parameters:
    ///   - code: the code.
    ///   - errorNumber: the system's number.
    ///   - diagnosis: the missing part on this machine.
    ///   - explanation: a sentence to show instead of the default one.
    public init(_ code: Code, errorNumber: Int32? = nil, diagnosis: PathDiagnosis? = nil, explanation: String? = nil) {
        self.code = code
        self.errorNumber = errorNumber
        self.diagnosis = diagnosis
        self.explanation = explanation
    }
}

extension HostError: CustomStringConvertible {
    /// One sentence for a user.
    public var description: String {
        if let explanation { return explanation }
        return switch code {
        case .unknown: "The network state cannot be read."
        case .noRoute: diagnosis?.description ?? "There is no route to it."
        case .routerSilent: "The router does not answer."
        case .nameNotFound: "There is no such name."
        case .noAddress: "The name has no address."
        case .resolverFailed: "The DNS servers answer with an error."
        case .resolverRefused: "The DNS servers refuse queries."
        case .resolverSilent: "The DNS servers did not answer in time."
        case .resolverUnreachable: "The DNS servers cannot be reached."
        case .timedOut: "There was no answer in time."
        case .refused: "Connection refused: the host is there, but nothing listens on this port."
        case .unreachable: diagnosis?.description ?? "No route to it: a router or its link reports it unreachable."
        case .reset: "The host reset the connection."
        case .denied: "A firewall on this machine blocks the connection."
        default: errorNumber.map { "The system reported error \($0)." } ?? "The system reported an error."
        }
    }
}

extension HostError {
    /// Creates the error for an error number of a connection.
    init(connecting failure: SystemError) {
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
        self.init(
            code, explanation: Code.ofNameServers.contains(code) ? (error as? ProbeError)?.nameServerSentence : nil)
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
    var weight: ConnectionFailureWeight {
        switch code {
        case .refused: .refusal
        case .unreachable: .noWay
        default: .noAnswer
        }
    }
}
