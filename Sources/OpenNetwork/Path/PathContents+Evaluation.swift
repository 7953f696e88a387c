//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import Netlink
package import NetworkState

extension PathContents {
    /// The kernel's state, judged under some requirements, in Apple's words.
    package init(_ snapshot: NetworkSnapshot, _ requirements: PathRequirements) {
        let path = PathEvaluator(snapshot).evaluate(requirements)
        let obstacleLink = path.obstacle?.interface.flatMap(snapshot.interface(named:))
        self.init(
            status: NWPath.Status(path.status),
            unsatisfiedReason: NWPath.UnsatisfiedReason(path.obstacle, on: obstacleLink),
            availableInterfaces: path.interfaces.map(NWInterface.init),
            usedInterfaceTypes: Set(path.usedTypes.map(NWInterface.InterfaceType.init)),
            isExpensive: path.isExpensive,
            isConstrained: path.isConstrained,
            isUltraConstrained: path.isUltraConstrained,
            linkQuality: NWPath.LinkQuality(path.linkQuality),
            supportsIPv4: path.supportsIPv4,
            supportsIPv6: path.supportsIPv6,
            supportsDNS: path.supportsDNS,
            gateways: path.gateways.compactMap { NWEndpoint($0, on: snapshot.interface($0.interface)) },
            obstacle: path.obstacle,
            obstacleInterface: obstacleLink.map(NWInterface.init),
            networkNames: Dictionary(
                path.interfaces.compactMap { link in link.wifi?.networkName.map { (Int(link.index), $0) } },
                uniquingKeysWith: { first, _ in first }),
            visibility: snapshot.visibility)
    }
}

extension NWPath.UnsatisfiedReason {
    /// A radio that its user has switched off is a denial; of anything else Apple has no word.
    init(_ obstacle: Obstacle?, on link: NetworkInterface?) {
        switch (obstacle?.reason, link?.type) {
        case (.radioOff, .wifi): self = .wifiDenied
        case (.radioOff, .cellular): self = .cellularDenied
        default: self = .notAvailable
        }
    }
}

extension NWPath.LinkQuality {
    package init(_ quality: NetworkState.LinkQuality) {
        switch quality {
        case .unknown: self = .unknown
        case .minimal: self = .minimal
        case .moderate: self = .moderate
        case .good: self = .good
        }
    }
}

extension NWPath.Status {
    init(_ status: PathEvaluation.Status) {
        switch status {
        case .satisfied: self = .satisfied
        case .unsatisfied: self = .unsatisfied
        case .requiresConnection: self = .requiresConnection
        }
    }
}

extension NWInterface {
    package init(_ interface: NetworkInterface) {
        self.init(type: InterfaceType(interface.type), name: interface.name, index: Int(interface.index))
    }
}

extension NWInterface.InterfaceType {
    package init(_ type: NetworkState.InterfaceType) {
        switch type {
        case .other: self = .other
        case .wifi: self = .wifi
        case .cellular: self = .cellular
        case .wiredEthernet: self = .wiredEthernet
        case .loopback: self = .loopback
        }
    }
}

extension NetworkState.InterfaceType {
    package init(_ type: NWInterface.InterfaceType) {
        switch type {
        case .other: self = .other
        case .wifi: self = .wifi
        case .cellular: self = .cellular
        case .wiredEthernet: self = .wiredEthernet
        case .loopback: self = .loopback
        }
    }
}

extension NWEndpoint {
    /// A router, with port 0; a link-local one carries its interface.
    fileprivate init?(_ gateway: PathEvaluation.Gateway, on interface: NetworkInterface?) {
        let scope = gateway.address.isLinkLocal ? interface.map(NWInterface.init) : nil
        switch gateway.address.family {
        case .ipv4:
            let bits = UInt32(truncatingIfNeeded: gateway.address.bits)
            self = .hostPort(host: .ipv4(IPv4Address(bits: bits, interface: scope)), port: .any)
        case .ipv6:
            self = .hostPort(host: .ipv6(IPv6Address(bits: gateway.address.bits, interface: scope)), port: .any)
        default: return nil
        }
    }
}

#endif
