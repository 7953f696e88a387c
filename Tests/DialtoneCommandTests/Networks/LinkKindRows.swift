// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Glibc
import Netlink
import NetworkModel
import TestSupport

/// Networks with kinds of links that many kernels lack.
extension NetworkRow {
    static let wireGuard: [NetworkRow] = [
        wireGuard("WireGuard", Conclusion("online")),
        wireGuard("dead WireGuard", tunnel("wg0")) { try await $0.forgetWireGuardPeer() },
        wireGuard("provider dead behind a living WireGuard", provider) { $0.wires.wan.play { _ in .drop } },
    ]

    static let pppoe: [NetworkRow] = [
        pppoe("PPPoE", Conclusion("online")),
        pppoe(
            "provider dead behind PPPoE",
            Conclusion(
                "noInternet", "provider",
                "Nothing beyond ppp0 answers: check the VPN or the connection that it belongs to, or call the provider."
            )
        ) { $0.wires.wan.play { _ in .drop } },
    ]

    private static func wireGuard(
        _ name: String, _ expected: Conclusion, arrange: @escaping @Sendable (FaultLab) async throws -> Void = { _ in }
    ) -> NetworkRow {
        NetworkRow(name, expected) { lab in
            try await lab.startWireGuard()
            try lab.exceptFromVPN("203.0.113.53")
            try await arrange(lab)
        }.late
    }

    private static func pppoe(
        _ name: String, _ expected: Conclusion, arrange: @escaping @Sendable (FaultLab) async throws -> Void = { _ in }
    ) -> NetworkRow {
        NetworkRow(name, expected) { lab in
            try await lab.joinByPPPoE()
            try await arrange(lab)
        }.with {
            ($0.joins, $0.isDualStack) = (false, false)
        }.late
    }
}

extension FaultLab {
    /// Any 32 bytes are a key.
    private static let keys = (client: key("client"), server: key("server"))

    private static func key(_ text: String) -> String {
        Data((text + String(repeating: "0", count: 32)).utf8.prefix(32)).base64EncodedString()
    }

    /// Connects the client to a WireGuard server in the Internet, as wg-quick(8) does for all destinations.
    fileprivate func startWireGuard() async throws {
        try await run(
            """
            ip link add wg0 type wireguard
            echo \(Self.keys.server) | wg set wg0 private-key /proc/self/fd/0 listen-port 51820 \
                peer $(echo \(Self.keys.client) | wg pubkey) allowed-ips 10.8.0.2/32,2001:db8:8::2/128
            ip address add 10.8.0.1/24 dev wg0
            ip address add 2001:db8:8::1/64 dev wg0 nodad
            ip link set wg0 up
            """, in: served.network.internet)
        try await run(
            """
            ip link add wg0 type wireguard
            echo \(Self.keys.client) | wg set wg0 private-key /proc/self/fd/0 fwmark 51820 \
                peer $(echo \(Self.keys.server) | wg pubkey) endpoint 203.0.113.1:51820 allowed-ips 0.0.0.0/0,::/0
            ip address add 10.8.0.2/24 dev wg0
            ip address add 2001:db8:8::2/64 dev wg0 nodad
            ip link set wg0 up
            for version in -4 -6; do
                ip $version route add default dev wg0 table 51820
                ip $version rule add not fwmark 51820 table 51820
                ip $version rule add table main suppress_prefixlength 0
            done
            """, in: served.network.client)
    }

    /// Makes the WireGuard server forget the client: it drops its packets without a word.
    fileprivate func forgetWireGuardPeer() async throws {
        try await run(
            "wg set wg0 peer $(echo \(Self.keys.client) | wg pubkey) remove", in: served.network.internet)
    }

    /// Connects the client to the router by PPPoE, with 192.0.2.2 and a default route that has no router.
    ///
    /// Both ends know the session, and so neither needs a server that forwards in user space.
    fileprivate func joinByPPPoE() async throws {
        let client = served.network.client
        try await connectLink()
        let addresses = try served.network.linkAddresses()
        let options = ["plugin", "pppoe.so", "noauth", "maxfail", "1"]
        keep(
            EndedProcess(
                try await served.network.runInRouter {
                    try CommandRun(
                        .init(path: "/usr/sbin/pppd"),
                        options + [
                            "pppoe-sess", "1:\(addresses.client)", "nic-lan0", "nodetach", "192.0.2.1:192.0.2.2",
                        ])
                }))
        // It leaves the foreground when the link is up, and ends with the other end.
        try await run(
            "pppd \(options.joined(separator: " ")) pppoe-sess 1:\(addresses.router) nic-up0 noipdefault defaultroute updetach",
            in: client)
    }

    /// Runs a shell script to its end.
    private func run(_ script: String, in namespace: NetworkNamespace) async throws {
        let run = try await CommandRun.start(.init(path: "/bin/sh"), ["-euc", script], in: namespace)
        let status = try await run.exitStatus()
        guard status == 0 else {
            throw ScriptError(text: (run.output.values + run.errors.values).joined(separator: "\n"))
        }
    }

    private struct ScriptError: Error { let text: String }
}

/// A program that ends with the lab.
private final class EndedProcess: Sendable {
    private let run: CommandRun

    init(_ run: CommandRun) { self.run = run }

    deinit { run.terminate() }
}

extension Capability {
    /// The kernel's PPP over Ethernet.
    static let pppoe = Capability("PPPoE") {
        let socket = socket(AF_PPPOX, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        close(socket)
    }

    /// A program that is not part of every system.
    static func program(_ path: String) -> Capability {
        Capability(path) {
            guard access(path, X_OK) == 0 else { throw POSIXError(.ENOENT) }
        }
    }
}
