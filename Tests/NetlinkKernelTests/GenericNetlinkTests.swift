// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import TestSupport
import Testing

@testable import Netlink

@Suite(.requires(.networkNamespaces))
struct GenericNetlinkTests {
    @Test func `the controller finds itself`() throws {
        var kernel = try GenericNetlink(in: NetworkNamespace())
        let found = try kernel.family(named: "nlctrl")
        let controller = try #require(found)
        #expect(controller.type.rawValue == 16)
        #expect(controller.name == "nlctrl")
        #expect(controller.version == 2)
        #expect(controller.groups.keys.contains("notify"))
    }

    @Test func `the list of families and single queries agree`() throws {
        var kernel = try GenericNetlink(in: NetworkNamespace())
        let all = try kernel.families()
        #expect(all.contains { $0.name == "nlctrl" })
        for family in all {
            let alone = try kernel.family(named: family.name)
            #expect(alone == family)
        }
    }

    @Test(arguments: ["no-such-family", "", "a-name-longer-than-fifteen-bytes", "nl\0ctrl"])
    func `looking up a family that does not exist returns nil`(name: String) throws {
        var kernel = try GenericNetlink(in: NetworkNamespace())
        let family = try kernel.family(named: name)
        #expect(family == nil)
    }

    @Test func `a namespace without Wi-Fi has no Wi-Fi interfaces`() throws {
        var kernel = try GenericNetlink(in: NetworkNamespace())
        let interfaces = try kernel.wifiInterfaces()
        #expect(interfaces.isEmpty)
    }
}

extension GenericNetlink {
    /// The family with a name; nil when the running kernel does not have it.
    fileprivate mutating func family(named name: String) throws(NetlinkError) -> GenericFamily? {
        // GENL_NAMSIZ.
        guard name.utf8.count < 16, !name.utf8.contains(0) else { return nil }
        let control = GenericFamily(type: Self.control, name: "nlctrl", version: 2)
        return try query(control, command: GenericFamily.Command.getFamily, "CTRL_CMD_GETFAMILY \(name)") {
            $0.attribute(GenericFamily.Attribute.name, name)
        } read: { (payload) throws(NetlinkError) in
            try GenericFamily(payload)
        }
    }
}
#endif
