//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink
import Synchronization

/// Tells networks apart by what the kernel knows: the routers' link addresses, the interface's own networks, and the
/// name of a Wi-Fi network.
///
/// On Linux it reads the neighbour table of the network namespace of the thread that made it, and takes the Wi-Fi network's
/// name from the path; no packet is sent. On other
/// platforms, where such things are kept from apps, it tells nothing.
public final class SystemNetworkIdentifier: NetworkIdentifying {
    /// A socket in which one exchange runs at a time.
    private let kernel: Mutex<RouteNetlink?>

    /// Makes an identifier; where a sandbox forbids to ask the kernel, one that tells nothing.
    public init() {
        let routes = try? RouteNetlink()
        kernel = Mutex(routes)
    }

    /// Looks now: see `NetworkIdentifying`.
    public func identity(of path: NetworkPath) -> NetworkIdentity? {
        kernel.withLock { kernel in
            guard kernel != nil, let interface = path.interfaces.first else { return nil }
            let gateways = Set(path.gateways.compactMap(Self.address))
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

    /// A gateway of a path, without the link of a link-local address.
    private static func address(_ gateway: String) -> InetAddress? {
        gateway.split(separator: "%", maxSplits: 1).first.flatMap { InetAddress(String($0)) }
    }

    /// Such as `00:00:5e:00:53:01`; nil for the all-zero address of links that have none.
    private static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        return bytes.map { (byte: UInt8) in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined(separator: ":")
    }

    /// The network that an interface's address lies in; nil for a link-local one, which tells nothing.
    private static func network(_ message: AddressMessage) -> String? {
        let (address, length) = (message.prefix.address, Int(message.prefix.length))
        guard !address.isLinkLocal else { return nil }
        let bytes = address.bytes.enumerated().map { place, byte in
            let bits = min(max(length - place * 8, 0), 8)
            return bits == 0 ? 0 : byte & (0xFF << UInt8(8 - bits))
        }
        return InetAddress(bytes: bytes).map { "\($0)/\(length)" }
    }
}

extension NeighborState {
    /// Nobody has answered, or not any more.
    fileprivate static let unresolved: NeighborState = [.incomplete, .failed]
}

#else

/// Tells networks apart by what the system knows.
///
/// On this platform that is kept from apps, so it tells nothing.
public final class SystemNetworkIdentifier: NetworkIdentifying {
    /// Makes an identifier.
    public init() {}

    /// Nil: see `NetworkIdentifying`.
    public func identity(of path: NetworkPath) -> NetworkIdentity? { nil }
}

#endif
