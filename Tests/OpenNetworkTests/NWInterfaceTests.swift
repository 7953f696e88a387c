// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Testing

@testable import OpenNetwork

struct NWInterfaceTests {
    @Test func `an interface has the properties that it was created with, and its name as description`() {
        let interface = NWInterface(type: .wifi, name: "wlan0", index: 3)
        #expect(interface.type == .wifi)
        #expect(interface.name == "wlan0")
        #expect(interface.index == 3)
        #expect(interface.debugDescription == "wlan0")
        #expect("\(interface)" == "wlan0")
    }

    @Test func `index and name are the identity, the type is not`() {
        let interface = NWInterface(type: .wifi, name: "wlan0", index: 3)
        let sameWithOtherType = NWInterface(type: .other, name: "wlan0", index: 3)
        #expect(interface == sameWithOtherType)
        #expect(Set([interface, sameWithOtherType]).count == 1)
        #expect(interface != NWInterface(type: .wifi, name: "wlan1", index: 3))
        #expect(interface != NWInterface(type: .wifi, name: "wlan0", index: 4))
    }

    @Test func `the loopback is found by name and by index`() throws {
        let lo = try #require(NWInterface("lo"))
        #expect(lo.type == .loopback)
        #expect(lo.index > 0)
        #expect(NWInterface(lo.index) == lo)
        #expect(NWInterface(lo.index)?.type == .loopback)
    }

    @Test(arguments: ["", "no-such-if", "lo\0", "an-interface-name-that-is-much-too-long", "%", "é"])
    func `an unknown name finds nothing`(name: String) {
        #expect(NWInterface(name) == nil)
    }

    @Test(arguments: [0, -1, Int.min, Int.max, Int(Int32.max), Int(UInt32.max), Int(UInt32.max) + 2])
    func `an unknown index finds nothing`(index: Int) {
        #expect(NWInterface(index) == nil)
    }

    @Test func `radio types are described by their technology`() {
        let radio = NWInterface.RadioType.cell(.standalone5G(.mmWave))
        guard case .cell(.standalone5G(let variant)) = radio else {
            Issue.record("not the case it was made as")
            return
        }
        #expect(variant == .mmWave)
        #expect(Set<NWInterface.RadioType.WiFi>([.a, .b, .g, .n, .ac, .ax]).count == 6)
    }
}

#endif
