// SPDX-License-Identifier: Apache-2.0

// The Apple and Linux sides of paths, interfaces and filters.

#if canImport(Darwin)

import Darwin
import Dispatch
public import OpenNetwork

extension NetworkPath {
    /// Creates a plain value from Apple's path, with a diagnosis derived from the properties that it exposes.
    public init(_ path: NWPath) {
        self.init(
            status: path.status, unsatisfiedReason: path.unsatisfiedReason,
            diagnosis: Self.diagnosis(path),
            interfaces: path.availableInterfaces.map {
                Interface(name: $0.name, index: $0.index, type: $0.type)
            },
            usedInterfaceTypes: Set(
                [.other, .wifi, .cellular, .wiredEthernet, .loopback].filter(path.usesInterfaceType)),
            supportsIPv4: path.supportsIPv4, supportsIPv6: path.supportsIPv6, supportsDNS: path.supportsDNS,
            isExpensive: path.isExpensive, isConstrained: path.isConstrained,
            gateways: path.gateways.compactMap(Gateway.init))
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            isUltraConstrained = path.isUltraConstrained
            linkQuality = LinkQuality(path.linkQuality)
        }
    }

    private static func diagnosis(_ path: NWPath) -> PathDiagnosis? {
        switch path.status {
        case .satisfied: nil
        case .requiresConnection: PathDiagnosis(.dormant)
        default: PathDiagnosis(path.availableInterfaces.isEmpty ? .noInterface : .noRoute)
        }
    }

    /// Apple's system announces every change.
    package static func rereadRoutes() {}

    /// The interfaces of this machine, by index.
    public static func interfacesOfThisMachine() -> [Interface] {
        guard let list = unsafe if_nameindex() else { return [] }
        defer { unsafe if_freenameindex(list) }
        var interfaces: [Interface] = []
        var entry = unsafe list
        while unsafe entry.pointee.if_index != 0, let name = unsafe entry.pointee.if_name {
            unsafe interfaces.append(
                Interface(name: String(cString: name), index: Int(entry.pointee.if_index), type: .other))
            unsafe entry += 1
        }
        return interfaces
    }
}

extension NWPathMonitor {
    /// Apple's monitor reports no diagnosis.
    package func reportDiagnosis() {}

    /// Starts the monitor, and returns its paths: the current one first, then each change; a slow loop gets the newest.
    ///
    /// A monitor is a sequence itself only from macOS 14 and iOS 17 on.
    package func iterate() -> AsyncStream<NWPath> {
        let (stream, continuation) = AsyncStream.makeStream(of: NWPath.self, bufferingPolicy: .bufferingNewest(1))
        pathUpdateHandler = { continuation.yield($0) }
        continuation.onTermination = { [self] _ in cancel() }
        start(queue: DispatchQueue(label: "dialtone.path"))
        return stream
    }
}

extension NetworkPath.Gateway {
    fileprivate init?(_ endpoint: NWEndpoint) {
        guard case .hostPort(let host, _) = endpoint, let address = NetworkAddress(host) else { return nil }
        self.init(address, interface: host.interface?.name)
    }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension LinkQuality {
    fileprivate init(_ quality: NWPath.LinkQuality) {
        self =
            switch quality {
            case .unknown: .unknown
            case .minimal: .minimal
            case .moderate: .moderate
            case .good: .good
            @unknown default: .unknown
            }
    }
}

extension PathFilter {
    /// Creates a monitor of the paths over interfaces of the types that this filter allows; `path(_:)` then applies the
    /// name.
    ///
    /// Apple's monitor accepts either a required type or prohibited ones. A required type already excludes every other
    /// type, so both matter together only if the required type is prohibited; then no interface is allowed.
    package func makeMonitor() -> NWPathMonitor {
        guard let requiredType else { return NWPathMonitor(prohibitedInterfaceTypes: Array(prohibitedTypes)) }
        guard prohibitedTypes.contains(requiredType) else { return NWPathMonitor(requiredInterfaceType: requiredType) }
        return NWPathMonitor(prohibitedInterfaceTypes: [.other, .wifi, .cellular, .wiredEthernet, .loopback])
    }

    /// The plain value of a monitor's path, restricted to the interface that this filter names.
    ///
    /// Apple reports cost and IP versions for the whole path only, so these are not restricted.
    package func path(_ path: NWPath) -> NetworkPath {
        var path = NetworkPath(path)
        guard let interfaceName else { return path }
        path.interfaces.removeAll { $0.name != interfaceName }
        path.usedInterfaceTypes.formIntersection(path.interfaces.map(\.type))
        if path.interfaces.isEmpty {
            path.status = .unsatisfied
            path.diagnosis = PathDiagnosis(.noInterface)
        }
        return path
    }

    /// The current path, from the first update of a monitor; no thread of the concurrency runtime waits for it.
    package func currentPath() async -> NetworkPath {
        for await path in makeMonitor().iterate() { return self.path(path) }
        // The task was cancelled before the first update.
        return NetworkPath(status: .unsatisfied)
    }

    /// The current path, from the first update of a monitor within a second.
    func readPath() -> NetworkPath {
        let monitor = makeMonitor()
        let arrival = DispatchSemaphore(value: 0)
        monitor.pathUpdateHandler = { _ in arrival.signal() }
        monitor.start(queue: DispatchQueue(label: "dialtone.path"))
        // clock: the calling thread blocks until Apple's monitor has its first update.
        _ = arrival.wait(timeout: .now() + 1)
        monitor.cancel()
        // The monitor sets it before it calls the handler.
        return path(monitor.currentPath)
    }
}

#else

import Netlink
import NetworkState
public import OpenNetwork
import SystemSupport

extension NetworkPath {
    /// Creates the plain value of a path.
    public init(_ path: NWPath) { self = path.networkPath }

    /// Looks up again where packets go, for every monitor: the kernel does not announce some settings that decide this.
    static func rereadRoutes() { KernelSource.rereadAll() }

    /// The interfaces of this machine, by index; empty if a sandbox hides them.
    public static func interfacesOfThisMachine() -> [Interface] {
        ((try? KernelSource.currentInterfaces()) ?? []).map(\.pathInterface)
    }
}

extension PathFilter {
    /// Creates a monitor of the paths that this filter allows, which also reports changes of the diagnosis.
    package func makeMonitor() -> NWPathMonitor { NWPathMonitor(self, reportsDiagnosis: true) }

    /// The plain value of a monitor's path.
    func path(_ path: NWPath) -> NetworkPath { NetworkPath(path) }

    /// The current path: that of the running source, else read once; no thread of the concurrency runtime waits for it.
    package func currentPath() async -> NetworkPath {
        // A task that is cancelled gets a path too.
        let state = await KernelSource.state(awaitingCosts: 0.3) ?? KernelSource.currentState()
        return state.path(self).path
    }

    func readPath() -> NetworkPath { KernelSource.currentState(awaitingCosts: 0.3).path(self).path }
}

extension CostPolicy {
    /// The cost policy of this process; setting it updates every path at once.
    ///
    /// To set several entries with one update, read it, change it, and set it. Change it, also by a subscript, in one
    /// thread at a time: the policy is read, changed and set, and what another thread sets meanwhile is lost. Apple
    /// platforms have no such policy: there the system's settings decide.
    public static var current: CostPolicy {
        get { ofProcess }
        set { ofProcess = newValue }
    }
}

#endif
