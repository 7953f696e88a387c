// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneNotifications
import NetworkSimulation

/// Creates the objects that observe one network.
protocol VariantSource: Sendable {
    /// Creates a listener for reachability flags; nil if the system refuses.
    func makeListener(_ target: VariantTarget) -> ReachabilityListener?
    /// Creates a path monitor of one type of interface, or of all.
    func makePathMonitor(requiredInterfaceType type: NWInterface.InterfaceType?) -> NWPathMonitor
    /// Creates a path monitor of the C interface.
    func makePathMonitorObject() -> nw_path_monitor_t
}

/// The targets of reachability flags.
enum VariantTarget: Hashable, Sendable {
    /// The default route: the zero address.
    case defaultRoute
    /// A host's name or address.
    case host(String)
    /// From any address of this machine to one on the Internet.
    case pair

    /// An address for documentation: a route to it is a route to the Internet.
    fileprivate static let remoteAddress = IPv4Address("198.51.100.1") ?? .any
}

/// Creates the objects that observe this machine's network.
struct ThisMachine: VariantSource {
    func makeListener(_ target: VariantTarget) -> ReachabilityListener? {
        switch target {
        case .defaultRoute: ReachabilityListener()
        case .host(let host): ReachabilityListener(host: host)
        case .pair:
            ReachabilityListener(localAddress: IPv4Address.any, remoteAddress: VariantTarget.remoteAddress)
        }
    }

    func makePathMonitor(requiredInterfaceType type: NWInterface.InterfaceType?) -> NWPathMonitor {
        type.map { NWPathMonitor(requiredInterfaceType: $0) } ?? NWPathMonitor()
    }

    func makePathMonitorObject() -> nw_path_monitor_t { nw_path_monitor_create() }
}

#if os(Linux) || os(Android)
extension SimulatedNetwork: VariantSource {
    func makeListener(_ target: VariantTarget) -> ReachabilityListener? {
        let target =
            switch target {
            case .defaultRoute: makeReachability()
            case .host(let host): makeReachability(host: host)
            case .pair:
                makeReachability(localAddress: IPv4Address.any, remoteAddress: VariantTarget.remoteAddress)
            }
        return target.map { ReachabilityListener($0) }
    }
}
#endif

extension Demo {
    /// Creates the objects that observe the simulated network; nil on Apple platforms, whose classes cannot.
    var variantSource: (any VariantSource)? {
        #if os(Linux) || os(Android)
        network
        #else
        nil
        #endif
    }
}
