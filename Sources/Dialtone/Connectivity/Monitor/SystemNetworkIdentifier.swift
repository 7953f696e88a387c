// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink
import NetworkState
import Synchronization
import SystemSupport

/// Distinguishes networks by what the kernel knows: the routers' link addresses, the interface's own networks, and the
/// name of a Wi-Fi network.
///
/// On Linux it uses the last state of the network namespace of the thread that created it, looks up the routers'
/// neighbour entries, and takes the Wi-Fi network's name from the path. It sends no packets. On other platforms, where apps have no access to these facts, it
/// identifies nothing.
package final class SystemNetworkIdentifier: NetworkIdentifying {
    private let source = KernelSource.shared()
    /// A socket that carries one exchange at a time.
    private let kernel: Mutex<RouteNetlink?>

    /// Creates an identifier; where a sandbox forbids kernel queries, it identifies nothing.
    package init() {
        let routes = try? RouteNetlink()
        kernel = Mutex(routes)
    }

    /// Identifies the network now, on another thread; see `NetworkIdentifying`.
    package func identify(_ path: NetworkPath, _ receive: @escaping @Sendable (NetworkIdentity?) -> Void) {
        do throws(ThreadStarter.Refused) {
            try ThreadStarter.system.start("dialtone.read") { receive(self.identity(of: path)) }
        } catch {
            receive(nil)
        }
    }

    /// Identifies the network now, on the calling thread, which waits for the kernel; see `NetworkIdentifying`.
    package func identity(of path: NetworkPath) -> NetworkIdentity? {
        let known = path.interfaces.first.flatMap { source.latest?.snapshot.interface($0)?.addresses.map(\.prefix) }
        return kernel.withLock { kernel in
            guard kernel != nil, let interface = path.interfaces.first else { return nil }
            var linkAddresses: Set<String> = []
            for gateway in path.gateways {
                for link in path.interfaces where gateway.interface == nil || gateway.interface == link.name {
                    let index = Int32(truncatingIfNeeded: link.index)
                    guard let neighbor = try? kernel?.neighbor(gateway.address.unscoped, on: index),
                        !neighbor.state.isAbsent, let address = neighbor.hardwareAddress
                    else { continue }
                    if let text = Self.text(address) { linkAddresses.insert(text) }
                }
            }
            // Without a monitor nothing holds the addresses.
            let prefixes =
                known ?? ((try? kernel?.addresses()) ?? []).filter { Int($0.index) == interface.index }.map(\.prefix)
            return NetworkIdentity(
                gatewayLinkAddresses: linkAddresses, prefixes: Set(prefixes.compactMap(Self.network)).sorted(),
                ssid: interface.networkName)
        }
    }

    /// A link address such as `00:00:5e:00:53:01`; nil for the all-zero address of links without link addresses.
    private static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        return bytes.map { $0.digits(2, radix: 16) }.joined(separator: ":")
    }

    /// The network that an interface's address belongs to; nil for a link-local address, which does not distinguish
    /// networks.
    private static func network(_ prefix: NetworkPrefix) -> String? {
        prefix.address.isLinkLocal ? nil : prefix.network.description
    }
}

#else

/// Distinguishes networks by what the system knows.
///
/// On this platform apps have no access to these facts, so it identifies nothing.
package final class SystemNetworkIdentifier: NetworkIdentifying {
    /// Creates an identifier that identifies nothing.
    package init() {}

    package func identity(of path: NetworkPath) -> NetworkIdentity? { nil }
}

#endif
