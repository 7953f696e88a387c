// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NetworkState

struct CostPolicyTests {
    private static func link(
        _ type: InterfaceType = .wifi, metered: Metered = .unknown, network: String? = "Train"
    ) -> NetworkInterface {
        NetworkInterface(
            index: 2, name: "wlan0", type: type, wifi: network.map { WiFiLink(ssid: Array($0.utf8)) }, metered: metered)
    }

    static let defaults: [(InterfaceType, Metered, Bool)] = [
        (.wifi, .unknown, false), (.wifi, .yes, true), (.wifi, .guessYes, true), (.wifi, .no, false),
        (.wifi, .guessNo, false), (.cellular, .unknown, true), (.cellular, .no, false), (.cellular, .guessNo, false),
        (.cellular, .guessYes, true), (.wiredEthernet, .unknown, false), (.other, .unknown, false),
    ]

    @Test(arguments: defaults)
    func `without rules NetworkManager decides, and without NetworkManager the type`(
        type: InterfaceType, metered: Metered, isExpensive: Bool
    ) {
        let rules = CostPolicy()
        #expect(rules.isExpensive(Self.link(type, metered: metered)) == isExpensive)
        #expect(!rules.isConstrained(Self.link(type, metered: metered)))
        #expect(!rules.isUltraConstrained(Self.link(type, metered: metered)))
    }

    @Test func `for each property, the most specific rule that defines it applies`() {
        var rules = CostPolicy()
        rules[.type(.wifi)] = LinkCosts(isExpensive: true, isConstrained: true)
        #expect(rules.isExpensive(Self.link(metered: .no)) && rules.isConstrained(Self.link()))
        rules[.wifiNetwork("Train")] = LinkCosts(isExpensive: false)
        #expect(!rules.isExpensive(Self.link(metered: .yes)) && rules.isConstrained(Self.link()))
        #expect(rules.isExpensive(Self.link(network: "Home")) && rules.isExpensive(Self.link(network: nil)))
        rules[.interface("wlan0")] = .expensive
        #expect(rules.isExpensive(Self.link()))
        rules[.interface("wlan0")] = nil
        #expect(!rules.isExpensive(Self.link()))
    }

    @Test func `an ultra-constrained link is constrained too, unless a rule denies it`() {
        var rules = CostPolicy()
        rules[.interface("wlan0")] = LinkCosts(isUltraConstrained: true)
        #expect(rules.isUltraConstrained(Self.link()) && rules.isConstrained(Self.link()))
        rules[.type(.wifi)] = LinkCosts(isConstrained: false)
        #expect(!rules.isConstrained(Self.link()))
    }

    @Test func `a tunnel costs what the link that carries it costs`() {
        var host = Host(
            NetworkInterface(
                index: 3, name: "wg0", type: .other, linkKind: "wireguard", addresses: [.init("10.9.0.2/32")]),
            .init(index: 2, name: "wwan0", type: .cellular, addresses: [.init("100.64.0.2/30")]))
        host = host.answering(.via(nil, on: 3)).answering(.via(nil, on: 2), over: 2)
        #expect(host.path().usedInterfaceTypes == [.other, .cellular] && host.path().isExpensive)
    }

    static let signals: [(Int8?, LinkQuality, LinkQuality)] = [
        (nil, .good, .unknown), (0, .good, .unknown), (-127, .good, .unknown), (-30, .unknown, .good),
        (-67, .unknown, .good), (-68, .unknown, .moderate), (-70, .good, .good), (-71, .good, .moderate),
        (-77, .unknown, .moderate), (-78, .unknown, .minimal), (-80, .moderate, .moderate), (-80, .good, .moderate),
        (-81, .moderate, .minimal), (-78, .minimal, .minimal), (-77, .minimal, .moderate),
    ]

    @Test(arguments: signals)
    func `the quality of a signal has hysteresis`(signal: Int8?, before: LinkQuality, quality: LinkQuality) {
        #expect(LinkQuality(signal: signal, previous: before) == quality)
    }

    @Test func `a radio is off by its own switch, or when all radios of its type are`() {
        var switches = [
            RadioSwitch(name: "phy0", type: .wlan, block: .software), RadioSwitch(name: "phy1", type: .wlan),
            RadioSwitch(name: "modem", type: .wwan, block: .hardware),
        ]
        #expect(switches.block(of: .wlan, named: "phy0") == .software)
        #expect(switches.block(of: .wlan, named: "phy1") == nil)
        #expect(switches.block(of: .wlan, named: "other") == nil)
        #expect(switches.block(of: .wwan, named: nil) == .hardware)
        switches[1].block = .hardware
        #expect(switches.block(of: .wlan, named: "other") == .hardware)
        #expect([RadioSwitch]().block(of: .wlan, named: nil) == nil)
    }
}
