// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink
import Synchronization

/// Distinguishes networks by what the kernel knows: the routers' link addresses, the interface's own networks, and the
/// name of a Wi-Fi network.
///
/// On Linux it reads the neighbour table of the network namespace of the thread that created it, and takes the Wi-Fi
/// network's name from the path. It sends no packets. On other platforms, where apps have no access to these facts, it
/// identifies nothing.
public final class SystemNetworkIdentifier: NetworkIdentifying {
    /// A socket that carries one exchange at a time.
    private let kernel: Mutex<RouteNetlink?>

    /// Creates an identifier; where a sandbox forbids kernel queries, it identifies nothing.
    public init() {
        let routes = try? RouteNetlink()
        kernel = Mutex(routes)
    }

    /// Identifies the network now; see `NetworkIdentifying`.
    public func identity(of path: NetworkPath) -> NetworkIdentity? {
        kernel.withLock { kernel in
            guard kernel != nil, let interface = path.interfaces.first else { return nil }
            let gateways = Set(path.gateways.map(\.address.unscoped))
            let neighbors = (try? kernel?.neighbors()) ?? []
            let linkAddresses = neighbors.filter { neighbor in
                neighbor.address.map(gateways.contains) ?? false && neighbor.state.isDisjoint(with: .unresolved)
                    && path.interfaces.contains { $0.index == Int(neighbor.index) }
            }.compactMap { $0.hardwareAddress.flatMap(Self.text) }
            let addresses = (try? kernel?.addresses()) ?? []
            let prefixes = addresses.filter { Int($0.index) == interface.index }.compactMap(Self.network)
            return NetworkIdentity(
                gatewayLinkAddresses: Set(linkAddresses), prefixes: Set(prefixes).sorted(),
                ssid: interface.networkName)
        }
    }

    /// A link address such as `00:00:5e:00:53:01`; nil for the all-zero address of links without link addresses.
    private static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        return bytes.map { (byte: UInt8) in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined(separator: ":")
    }

    /// The network that an interface's address belongs to; nil for a link-local address, which does not distinguish
    /// networks.
    private static func network(_ message: AddressMessage) -> String? {
        message.prefix.address.isLinkLocal ? nil : message.prefix.network.description
    }
}

extension NeighborState {
    /// The states of a neighbour that has never answered, or no longer answers.
    fileprivate static let unresolved: NeighborState = [.incomplete, .failed]
}

#else

/// Distinguishes networks by what the system knows.
///
/// On this platform apps have no access to these facts, so it identifies nothing.
public final class SystemNetworkIdentifier: NetworkIdentifying {
    /// Creates an identifier that identifies nothing.
    public init() {}

    /// Returns nil; see `NetworkIdentifying`.
    public func identity(of path: NetworkPath) -> NetworkIdentity? { nil }
}

#endif
