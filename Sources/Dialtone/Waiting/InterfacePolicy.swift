//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Over what work may go.
public struct InterfacePolicy: Hashable, Sendable {
    /// Whether it may go over a mobile network.
    public var allowsCellular: Bool
    /// Whether it may go where data costs by volume.
    public var allowsExpensive: Bool
    /// Whether it may go where the user asked for little data to be used.
    public var allowsConstrained: Bool

    /// Makes a policy; without arguments, one that allows anything.
    public init(allowsCellular: Bool = true, allowsExpensive: Bool = true, allowsConstrained: Bool = true) {
        self.allowsCellular = allowsCellular
        self.allowsExpensive = allowsExpensive
        self.allowsConstrained = allowsConstrained
    }

    /// What a policy can forbid.
    public enum Restriction: String, Hashable, Sendable, CaseIterable {
        /// The path is a mobile network.
        case cellular
        /// Data costs by volume.
        case expensive
        /// The user asked for little data to be used.
        case constrained
    }

    /// What forbids this path; nil for a path that is allowed.
    ///
    /// Of several reasons it is the first in the order of Apple's `URLError.NetworkUnavailableReason`.
    public func restriction(of path: NetworkPath) -> Restriction? {
        if !allowsCellular, path.usedInterfaceTypes.contains(.cellular) { return .cellular }
        if !allowsExpensive, path.isExpensive { return .expensive }
        if !allowsConstrained, path.isConstrained { return .constrained }
        return nil
    }
}
