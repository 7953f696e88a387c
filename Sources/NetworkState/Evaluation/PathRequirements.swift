//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Over which links a path may lead.
public struct PathRequirements: Hashable, Sendable {
    /// Only links of this type; nil is any.
    public var requiredType: InterfaceType?
    /// No links of these types, and no tunnels that are known to lead over one.
    public var prohibitedTypes: Set<InterfaceType>
    /// Only the link with this name; nil is any.
    public var interfaceName: String?

    /// Makes requirements; without arguments, none.
    public init(
        requiredType: InterfaceType? = nil, prohibitedTypes: Set<InterfaceType> = [], interfaceName: String? = nil
    ) {
        self.requiredType = requiredType
        self.prohibitedTypes = prohibitedTypes
        self.interfaceName = interfaceName
    }

    /// Whether any link will do.
    public var isUnrestricted: Bool { requiredType == nil && prohibitedTypes.isEmpty && interfaceName == nil }

    /// Whether a link may be used, as far as it alone tells.
    public func allows(_ interface: NetworkInterface) -> Bool {
        (requiredType == nil || requiredType == interface.type) && !prohibitedTypes.contains(interface.type)
            && (interfaceName == nil || interfaceName == interface.name)
    }

    /// Whether loopback itself is asked for, which otherwise never counts as a way out.
    var asksForLoopback: Bool { requiredType == .loopback || interfaceName == "lo" }
}
