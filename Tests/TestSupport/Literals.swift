// SPDX-License-Identifier: Apache-2.0

public import NetworkModel

/// Lets tests write addresses as text: `let router: NetworkAddress = "192.0.2.1"`.
extension NetworkAddress: ExpressibleByStringLiteral {
    /// Parses an address in the test's source.
    public init(stringLiteral text: String) {
        guard let address = NetworkAddress(text) else { preconditionFailure("\(text) is not an address") }
        self = address
    }
}

/// Lets tests write networks as text: `let network: NetworkPrefix = "192.0.2.0/24"`.
extension NetworkPrefix: ExpressibleByStringLiteral {
    /// Parses a network in the test's source.
    public init(stringLiteral text: String) {
        guard let prefix = NetworkPrefix(text) else { preconditionFailure("\(text) is not a network") }
        self = prefix
    }
}

/// A diagnosis as tests write it: the reason and the interface's name.
public struct Cause: Equatable, Sendable {
    /// The reason.
    public var reason: PathDiagnosis.Reason
    /// The interface's name.
    public var interface: String?

    /// Creates a cause.
    public init(_ reason: PathDiagnosis.Reason, interface: String? = nil) {
        (self.reason, self.interface) = (reason, interface)
    }
}

extension PathDiagnosis {
    /// The diagnosis as tests write it.
    public var cause: Cause { Cause(reason, interface: interface?.name) }
}
