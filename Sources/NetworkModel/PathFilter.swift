// SPDX-License-Identifier: Apache-2.0

/// The interfaces that a path may use.
public struct PathFilter: Hashable, Sendable {
    /// The only type allowed; nil allows any.
    public var requiredType: NetworkPath.InterfaceType?
    /// The types that are not allowed, which also excludes tunnels that are known to use one.
    public var prohibitedTypes: Set<NetworkPath.InterfaceType> {
        get { prohibited.set }
        set { prohibited = InterfaceTypes(newValue) }
    }
    package private(set) var prohibited = InterfaceTypes()
    /// The name of the only interface allowed; nil allows any.
    public var interfaceName: String?

    /// Creates a filter; without arguments it allows every interface.
    public init(
        requiredType: NetworkPath.InterfaceType? = nil, prohibitedTypes: Set<NetworkPath.InterfaceType> = [],
        interfaceName: String? = nil
    ) {
        self.requiredType = requiredType
        self.interfaceName = interfaceName
        if !prohibitedTypes.isEmpty { self.prohibitedTypes = prohibitedTypes }
    }

    /// Whether the filter allows every interface.
    public var isUnrestricted: Bool { requiredType == nil && prohibited.isEmpty && interfaceName == nil }
}
