// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Netlink

struct WiFiMessageTests {
    @Test func `a captured interface`() throws {
        let bytes = WiFiCaptures.interface.bytes
        let interface = try #require(try WiFiInterface(bytes.span.bytes.extracting(droppingFirst: 16)))
        #expect((interface.name, interface.type, interface.radio) == ("wlan2", .station, 2))
        #expect(interface.ssid == nil)
    }

    @Test func `a captured access point, with signal and rates`() throws {
        let bytes = WiFiCaptures.station.bytes
        let station = try #require(try WiFiStation(bytes.span.bytes.extracting(droppingFirst: 16)))
        #expect(station.hardwareAddress == [2, 0, 0, 0, 0, 0])
        #expect(station.signal == -30 && station.averageSignal == -30)
        #expect(try #require(station.transmitRate) >= 10 && station.receiveRate == 10)
    }

    @Test func `a captured scan result is the joined network, with its name`() throws {
        let bytes = WiFiCaptures.network.bytes
        let network = try #require(try WiFiNetwork(bytes.span.bytes.extracting(droppingFirst: 16)))
        #expect(network.hardwareAddress == [2, 0, 0, 0, 0, 0])
        #expect(network.ssid == Array("home".utf8) && network.isJoined)
        #expect(network.frequency == 2412 && network.signal == -3000)
    }

    static let elements: [([UInt8], [UInt8]?)] = [
        ([], nil), ([0], nil), ([0, 0], nil), ([0, 3, 65, 66], nil), ([0, 2, 65, 66], [65, 66]),
        ([1, 1, 9, 0, 1, 65], [65]), ([0, 2, 0, 0], nil), ([1, 255, 0, 1, 65], nil),
        ([0, 33] + [UInt8](repeating: 65, count: 33), nil),
        ([0, 32] + [UInt8](repeating: 65, count: 32), [UInt8](repeating: 65, count: 32)),
    ]

    @Test(arguments: elements) func `a network name is found in a frame`(bytes: [UInt8], name: [UInt8]?) {
        #expect(WiFiNetwork.name(bytes) == name)
    }

    @Test func `other commands are ignored`() throws {
        let bytes: [UInt8] = [99, 1, 0, 0]
        #expect(try WiFiStation(bytes.span.bytes) == nil && WiFiNetwork(bytes.span.bytes) == nil)
    }
}
