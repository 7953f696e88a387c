//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

package import NetworkState

/// Every fact of a path, as a plain value: what an evaluator fills in and an ``NWPath`` shows.
///
/// The defaults are those of a path nobody has looked at yet: unsatisfied, with nothing known.
package struct PathContents: Equatable, Sendable {
    package var status: NWPath.Status

    /// Why the path is unsatisfied; `.notAvailable` when no reason is given, and for satisfied paths.
    package var unsatisfiedReason: NWPath.UnsatisfiedReason

    /// The usable interfaces, most preferred first.
    package var availableInterfaces: [NWInterface] {
        get { interfaces.available }
        set { interfaces.available = newValue }
    }

    /// The types of link that traffic may use, including the type that carries a tunnel when it is known.
    package var usedInterfaceTypes: Set<NWInterface.InterfaceType>

    package var isExpensive: Bool

    package var isConstrained: Bool

    package var isUltraConstrained: Bool

    package var linkQuality: NWPath.LinkQuality

    package var supportsIPv4: Bool

    package var supportsIPv6: Bool

    package var supportsDNS: Bool

    /// The next hops, link-local ones scoped to their interface.
    package var gateways: [NWEndpoint]

    /// What is missing, when there is no path: more than Apple's reasons say.
    package var obstacle: Obstacle?

    /// The interface where it is missing.
    package var obstacleInterface: NWInterface? {
        get { interfaces.obstacle }
        set { interfaces.obstacle = newValue }
    }

    /// The names of the Wi-Fi networks that the interfaces have joined, by the interfaces' numbers.
    package var networkNames: [Int: String]

    /// How well the network could be seen.
    package var visibility: Visibility

    private var interfaces: Interfaces

    /// The interfaces, equal when their types are too, which an interface's own equality leaves out.
    private struct Interfaces: Equatable, Sendable {
        var available: [NWInterface]
        var obstacle: NWInterface?

        static func == (lhs: Interfaces, rhs: Interfaces) -> Bool {
            lhs.available == rhs.available && lhs.obstacle == rhs.obstacle && lhs.obstacle?.type == rhs.obstacle?.type
                && zip(lhs.available, rhs.available).allSatisfy { $0.type == $1.type }
        }
    }

    package init(
        status: NWPath.Status = .unsatisfied,
        unsatisfiedReason: NWPath.UnsatisfiedReason = .notAvailable,
        availableInterfaces: [NWInterface] = [],
        usedInterfaceTypes: Set<NWInterface.InterfaceType> = [],
        isExpensive: Bool = false,
        isConstrained: Bool = false,
        isUltraConstrained: Bool = false,
        linkQuality: NWPath.LinkQuality = .unknown,
        supportsIPv4: Bool = false,
        supportsIPv6: Bool = false,
        supportsDNS: Bool = false,
        gateways: [NWEndpoint] = [],
        obstacle: Obstacle? = nil,
        obstacleInterface: NWInterface? = nil,
        networkNames: [Int: String] = [:],
        visibility: Visibility = .live
    ) {
        self.status = status
        self.unsatisfiedReason = unsatisfiedReason
        interfaces = Interfaces(available: availableInterfaces, obstacle: obstacleInterface)
        self.usedInterfaceTypes = usedInterfaceTypes
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isUltraConstrained = isUltraConstrained
        self.linkQuality = linkQuality
        self.supportsIPv4 = supportsIPv4
        self.supportsIPv6 = supportsIPv6
        self.supportsDNS = supportsDNS
        self.gateways = gateways
        self.obstacle = obstacle
        self.networkNames = networkNames
        self.visibility = visibility
    }
}

#endif
