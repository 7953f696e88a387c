// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CLinux
import Dispatch
import Glibc
@testable import Netlink
@testable import NetworkState
import OpenNetwork
import SystemSupport
import TestSupport
import Testing

/// Forged messages, reused indexes, namespaces without a name.
@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct DeceptionTests {
    private let good = Seen.satisfied("ipv4", over: ["up0"], gateways: ["192.0.2.1"])

    private func uplink() async throws -> (Lab, Int32) {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        try await lab.change { try $0.addDefault(via: "192.0.2.1") }
        try await lab.expect(good)
        try await lab.checkOfAddresses()
        return (lab, index)
    }

    @Test func `messages from another program are ignored`() async throws {
        let (lab, index) = try await uplink()
        let snapshots = lab.live.snapshotCount
        let updates = try await lab.live.updates {
            try await lab.run {
                var writer = MessageWriter(.deleteLink, flags: [], sequence: 0)
                RouteNetlink.writeLinkHeader(&writer, index: index)
                let ports = try ListeningSocket.all().map(\.port)
                #expect(!ports.isEmpty)
                let message = try writer.finish()
                for port in ports { try Self.send(message, to: port) }
            }
        }
        #expect(updates == [])
        #expect(lab.live.snapshotCount == snapshots + 2)
        #expect(lab.live.snapshot?.interface(index)?.name == "up0")
    }

    private static func send(_ message: [UInt8], to port: UInt32) throws {
        let descriptor = Descriptor(socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_nl()
        (address.nl_family, address.nl_pid) = (sa_family_t(AF_NETLINK), port)
        let sent = withUnsafeBytes(of: &address) { address in
            sendto(
                descriptor.number, message, message.count, 0,
                address.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(address.count))
        }
        #expect(sent == message.count)
    }

    @Test func `a link's index is reused by another link`() async throws {
        let (lab, index) = try await uplink()
        try await lab.change { kernel in
            try kernel.deleteLink(index)
            try kernel.createBridge("other0", index: index)
            try kernel.setLink(index, up: true)
            try kernel.add("198.51.100.2/24", to: index)
            try kernel.addDefault(via: "198.51.100.1")
        }
        try await lab.expect(.satisfied("ipv4", over: ["other0"], gateways: ["198.51.100.1"]))
        #expect(lab.live.snapshot?.interface(index)?.linkKind == "bridge")
    }

    @Test func `two links exchange their names`() async throws {
        let (lab, first) = try await uplink()
        let second = try await lab.cable("up1")
        try await lab.change { kernel in
            try kernel.rename(first, to: "aside")
            try kernel.rename(second, to: "up0")
            try kernel.rename(first, to: "up1")
        }
        try await lab.expect(.satisfied("ipv4", over: ["up1"], gateways: ["192.0.2.1"]))
    }

    @Test func `a namespace without a name is watched until it ends`() async throws {
        let outside = try await Lab()
        let paths = Recorder<NetworkPath>()
        let monitor = NWPathMonitor(PathFilter(), source: KernelSource(), reportsDiagnosis: true)
        monitor.pathUpdateHandler = { paths.record($0.networkPath) }
        do {
            let namespace = try NetworkNamespace()
            let outside = outside.namespace
            try await namespace.run {
                var kernel = try RouteNetlink()
                try kernel.createLink(.veth(name: "up0", peer: "far-up0"))
                try kernel.setLink(try kernel.link(named: "far-up0").index, namespace: outside)
                try kernel.setLink(try kernel.link(named: "up0").index, up: true)
                monitor.start(queue: DispatchQueue(label: "nameless"))
            }
        }
        _ = try await paths.latest { $0.diagnosis?.cause == Cause(.noCarrier, interface: "up0") }
        try await outside.change { try $0.setLink(try $0.link(named: "far-up0").index, up: true) }
        _ = try await paths.latest { $0.diagnosis?.cause == Cause(.noAddress, interface: "up0") }
        // The source kept the namespace alive; without it, the namespace ends, and its cable with it.
        monitor.cancel()
        try await outside.live.snapshot { $0.interface(named: "far-up0") == nil }
    }
}
#endif
