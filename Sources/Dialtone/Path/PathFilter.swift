//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Over which interfaces a path may lead.
public struct PathFilter: Hashable, Sendable {
    /// Only interfaces of this type; nil is any.
    public var requiredType: NWInterface.InterfaceType?
    /// No interfaces of these types.
    public var prohibitedTypes: Set<NWInterface.InterfaceType>
    /// Only the interface with this name; nil is any.
    public var interfaceName: String?

    /// Makes a filter; without arguments, none.
    public init(
        requiredType: NWInterface.InterfaceType? = nil, prohibitedTypes: Set<NWInterface.InterfaceType> = [],
        interfaceName: String? = nil
    ) {
        self.requiredType = requiredType
        self.prohibitedTypes = prohibitedTypes
        self.interfaceName = interfaceName
    }
}
