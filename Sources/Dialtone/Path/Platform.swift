//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The one place of this module that knows which platform it is on: what a path, an interface and a filter are made of.

#if canImport(Darwin)

import Darwin

extension NetworkPath {
    /// The plain value of Apple's path, with a diagnosis as far as that tells.
    public init(_ path: NWPath) {
        self.init(
            status: path.status, unsatisfiedReason: path.unsatisfiedReason,
            diagnosis: Self.diagnosis(path), interfaces: path.availableInterfaces.map(Interface.init),
            usedInterfaceTypes: Set(
                [.other, .wifi, .cellular, .wiredEthernet, .loopback].filter(path.usesInterfaceType)),
            supportsIPv4: path.supportsIPv4, supportsIPv6: path.supportsIPv6, supportsDNS: path.supportsDNS,
            isExpensive: path.isExpensive, isConstrained: path.isConstrained,
            gateways: path.gateways.map(Self.text))
    }

    private static func diagnosis(_ path: NWPath) -> PathDiagnosis? {
        switch path.status {
        case .satisfied: nil
        case .requiresConnection: PathDiagnosis(.dormant)
        default: PathDiagnosis(path.availableInterfaces.isEmpty ? .noInterface : .noRoute)
        }
    }

    /// The interfaces of this machine, by number.
    public static func interfacesOfThisMachine() -> [Interface] {
        guard let list = if_nameindex() else { return [] }
        defer { if_freenameindex(list) }
        var interfaces: [Interface] = []
        var entry = list
        while entry.pointee.if_index != 0, let name = entry.pointee.if_name {
            interfaces.append(
                Interface(name: String(cString: name), index: Int(entry.pointee.if_index), type: .other))
            entry += 1
        }
        return interfaces
    }
}

extension PathFilter {
    /// A monitor of the paths that this filter lets through.
    ///
    /// Apple's has no filter by name; that part is left out.
    func makeMonitor() -> NWPathMonitor {
        if let requiredType { return NWPathMonitor(requiredInterfaceType: requiredType) }
        return NWPathMonitor(prohibitedInterfaceTypes: Array(prohibitedTypes))
    }

    /// The path of this moment, by a monitor that is asked once.
    func currentPath() async -> NetworkPath {
        for await path in makeMonitor() { return NetworkPath(path) }
        // The task was cancelled.
        return NetworkPath(status: .unsatisfied)
    }
}

#else

import NetworkState

extension NetworkPath {
    /// The plain value of a path.
    public init(_ path: NWPath) {
        let contents = path.contents
        let interfaces = path.availableInterfaces.map {
            Interface(name: $0.name, index: $0.index, type: $0.type, networkName: contents.networkNames[$0.index])
        }
        self.init(
            status: path.status, unsatisfiedReason: path.unsatisfiedReason,
            diagnosis: contents.obstacle.flatMap { PathDiagnosis($0, contents.obstacleInterface.map(Interface.init)) },
            interfaces: interfaces, usedInterfaceTypes: contents.usedInterfaceTypes, supportsIPv4: path.supportsIPv4,
            supportsIPv6: path.supportsIPv6, supportsDNS: path.supportsDNS, isExpensive: path.isExpensive,
            isConstrained: path.isConstrained, gateways: path.gateways.map(Self.text),
            limitation: Limitation(contents.visibility), isUltraConstrained: path.isUltraConstrained,
            linkQuality: LinkQuality(path.linkQuality))
    }

    /// The interfaces of this machine, by number; empty where a sandbox hides them.
    public static func interfacesOfThisMachine() -> [Interface] {
        ((try? KernelSource.currentInterfaces()) ?? []).map { Interface(NWInterface($0)) }
    }
}

extension LinkQuality {
    init(_ quality: NWPath.LinkQuality) {
        switch quality {
        case .unknown: self = .unknown
        case .minimal: self = .minimal
        case .moderate: self = .moderate
        case .good: self = .good
        }
    }

    init(_ quality: NetworkState.LinkQuality) { self.init(NWPath.LinkQuality(quality)) }
}

extension PathDiagnosis {
    init?(_ obstacle: Obstacle, _ interface: NetworkPath.Interface?) {
        guard let reason = Reason(rawValue: obstacle.reason.rawValue) else { return nil }
        self.init(reason, interface: interface)
    }
}

extension NetworkPath.Limitation {
    fileprivate init?(_ visibility: Visibility) {
        guard let explanation = visibility.explanation else { return nil }
        if case .polling = visibility { self = .polling(explanation) } else { self = .unavailable(explanation) }
    }
}

extension PathFilter {
    /// A monitor of the paths that this filter lets through.
    func makeMonitor() -> NWPathMonitor { NWPathMonitor(requirements) }

    /// The path of this moment, by looking once.
    func currentPath() async -> NetworkPath { NetworkPath(NWPath.current(requirements, awaitingCosts: 0.3)) }

    private var requirements: PathRequirements {
        PathRequirements(
            requiredType: requiredType.map(InterfaceType.init),
            prohibitedTypes: Set(prohibitedTypes.map(InterfaceType.init)), interfaceName: interfaceName)
    }
}

#endif

extension NetworkPath.Interface {
    init(_ interface: NWInterface) {
        self.init(name: interface.name, index: interface.index, type: interface.type)
    }
}

extension NetworkPath {
    /// An endpoint's address, without the port.
    private static func text(_ endpoint: NWEndpoint) -> String {
        switch endpoint {
        case .hostPort(let host, _): "\(host)"
        default: "\(endpoint)"
        }
    }
}
