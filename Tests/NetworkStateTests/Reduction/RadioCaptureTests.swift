// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Netlink
@testable import NetworkState

/// The kernel's messages while simulated radios and a modem changed, replayed.
struct RadioCaptureTests {
    private var tables = KernelTables()

    /// Replays datagrams, and returns the states of the link, without repetitions.
    private mutating func take(
        _ datagrams: [[UInt8]], watching name: String, devices: LinkTable<InterfaceClassifier.DeviceType> = [:]
    ) throws -> [String] {
        var seen: [String] = []
        for datagram in datagrams {
            _ = try tables.apply(datagram)
            guard let link = tables.interfaces(devices: devices).first(where: { $0.name == name }) else { continue }
            let state =
                !link.isUp ? "off" : link.isRunning ? "running" : link.isDormant ? "dormant" : "no carrier"
            let text = "\(link.type) \(state)"
            if seen.last != text { seen.append(text) }
        }
        return seen
    }

    @Test mutating func `joining passes through dormant, and the type is known from the first wireless event`()
        throws
    {
        #expect(try take(RadioCaptures.radiosAppear, watching: "wlan2", devices: [4: .wlan]) == ["wifi off"])
        let seen = try take(RadioCaptures.joinWPA2, watching: "wlan2")
        #expect(
            seen == [
                "wiredEthernet no carrier", "wifi no carrier", "wifi dormant", "wifi running",
            ])
        #expect(try take(RadioCaptures.accessPointStops, watching: "wlan2") == ["wifi no carrier"])
    }

    @Test mutating func `links that move to another namespace are removed`() throws {
        _ = try take(RadioCaptures.radiosAppear, watching: "wlan2")
        #expect(tables.links.values.compactMap(\.name).sorted() == ["hwsim0", "wlan2"])
    }

    @Test mutating func `a modem is cellular by its device, also when it loses its Ethernet framing`() throws {
        #expect(try take(RadioCaptures.modemAppears, watching: "wwan0", devices: [6: .wwan]) == ["cellular off"])
        let seen = try take(RadioCaptures.modemCarriesBareIP, watching: "wwan0", devices: [6: .wwan])
        #expect(seen == ["cellular off", "cellular running"])
        // Without access to the device, for example in a container, a raw-IP link on USB can only be a modem.
        #expect(tables.interfaces(devices: [:]).last?.type == .cellular)
    }

    @Test mutating func `no truncated message causes a trap`() throws {
        for datagram in RadioCaptures.joinWPA2 + RadioCaptures.modemCarriesBareIP {
            for length in 16..<datagram.count {
                var bytes = Array(datagram.prefix(length))
                (bytes[0], bytes[1]) = (UInt8(length & 0xFF), UInt8(length >> 8))
                _ = try? tables.apply(bytes)
            }
        }
    }
}
