// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import TestSupport
import Testing

/// An uplink without an address: packets leave with a private address of another link.
@Suite(.requires(.networkNamespaces), .requires(.ownResolverFile), .timeLimit(.minutes(5)))
struct BorrowedAddressTests {
    /// Only a check shows whether a router of the site has a route to that address.
    @Test func `with a router that answers to the private address the machine is online`() async throws {
        let lab = try await ServedLab()
        try await lab.network.join()
        try await lab.borrow()
        try await lab.network.runInRouter {
            var kernel = try RouteNetlink()
            try kernel.addRoute(NewRoute("10.77.0.0/24", interface: kernel.link(named: "lan0").index))
        }
        for command in ["check", "status"] {
            let run = try await lab.run([command, "--json", "--timeout", "30"] + ServedLab.endpoints)
            #expect(try await run.exitStatus(timeout: .seconds(120)) == 0, "\(run.output.values)")
            #expect(run.output.values.first?.contains(#""verdict":"verified""#) == true, "\(run.output.values)")
        }
        let passive = try await lab.run(["status", "--passive", "--json"])
        #expect(try await passive.exitStatus() == 1)
        #expect(passive.output.values.first?.contains(#""reason":"noAddress""#) == true, "\(passive.output.values)")
        #expect(passive.output.values.first?.contains(#""status":"unsatisfied""#) == true)
        let watch = try await lab.run(["watch", "--json"] + ServedLab.endpoints)
        _ = try await watch.output.next { $0.contains(#""connectivity":"online""#) }
        watch.terminate()
        #expect(try await watch.exitStatus() == 0)
    }
}

extension ServedLab {
    /// Takes the client's address away, and gives another of its links a private one, which the kernel then uses.
    fileprivate func borrow() async throws {
        try await network.client.run {
            var kernel = try RouteNetlink()
            let uplink = try kernel.link(named: "up0").index
            try kernel.createLink(.veth(name: "in0", peer: "in1"))
            let inner = try kernel.link(named: "in0").index
            try kernel.addAddress("10.77.0.1/24", to: inner)
            try kernel.setLink(inner, up: true)
            try kernel.deleteAddress("192.0.2.2/24", from: uplink)
            let hop = NextHop(interface: uplink, gateway: NetworkAddress(192, 0, 2, 1), flags: .onLink)
            try kernel.addRoute(NewRoute(.all(.ipv4), nextHops: [hop]))
        }
    }
}
