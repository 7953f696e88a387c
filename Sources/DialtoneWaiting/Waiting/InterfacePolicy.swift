// SPDX-License-Identifier: Apache-2.0

/// The kinds of networks that an operation may use.
public struct InterfacePolicy: Hashable, Sendable {
    /// Whether the operation may use a mobile network.
    public var allowsCellular: Bool
    /// Whether the operation may use a network that charges by volume.
    public var allowsExpensive: Bool
    /// Whether the operation may use a network in low data mode.
    public var allowsConstrained: Bool
    /// Whether the operation may use a network that carries very little data, such as a satellite's.
    public var allowsUltraConstrained: Bool

    /// Creates a policy; without arguments it allows all networks.
    public init(
        allowsCellular: Bool = true, allowsExpensive: Bool = true, allowsConstrained: Bool = true,
        allowsUltraConstrained: Bool = true
    ) {
        self.allowsCellular = allowsCellular
        self.allowsExpensive = allowsExpensive
        self.allowsConstrained = allowsConstrained
        self.allowsUltraConstrained = allowsUltraConstrained
    }

    /// A property of networks that a policy can forbid.
    public enum Restriction: String, Hashable, Sendable, CaseIterable {
        /// The path is a mobile network.
        case cellular
        /// Data is charged by volume.
        case expensive
        /// The network is in low data mode, or carries very little data.
        case constrained
    }

    /// The reason why this policy forbids a path; nil for an allowed path.
    ///
    /// If there are several reasons, it is the first in the order of Apple's `URLError.NetworkUnavailableReason`.
    public func restriction(of path: NetworkPath) -> Restriction? {
        if !allowsCellular, path.usedInterfaceTypes.contains(.cellular) { return .cellular }
        if !allowsExpensive, path.isExpensive { return .expensive }
        if !allowsConstrained, path.isConstrained { return .constrained }
        if !allowsUltraConstrained, path.isUltraConstrained { return .constrained }
        return nil
    }
}
