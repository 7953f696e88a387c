//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Netlink

/// A device as NetworkManager describes it, as far as it matters here.
struct ManagedDevice: Hashable {
    /// The link's name, or for a modem that of its control port.
    var interface = ""
    /// The link that carries the packets; empty while there is none.
    var dataInterface = ""
    /// In the usual form, such as `02:00:00:00:01:00`; empty where there is none.
    var hardwareAddress = ""
    var metered = Metered.unknown
    var isModem = false
}

extension ManagedDevice {
    /// Takes in properties of `org.freedesktop.NetworkManager.Device`; those that are missing stay as they are.
    mutating func update(_ properties: [String: BusValue]) {
        if let text = properties["Interface"]?.text { interface = text }
        if let text = properties["IpInterface"]?.text { dataInterface = text }
        if let text = properties["HwAddress"]?.text { hardwareAddress = text.lowercased() }
        if let number = properties["Metered"]?.number {
            metered = UInt32(exactly: number).flatMap(Metered.init) ?? .unknown
        }
        // NM_DEVICE_TYPE_MODEM.
        if let number = properties["DeviceType"]?.number { isModem = number == 8 }
    }

    /// Whether this is that link.
    ///
    /// NetworkManager speaks of its own network namespace, where another link may have the same name: the hardware
    /// addresses must agree where both are known.
    func isLink(named name: String, hardwareAddress address: [UInt8]?) -> Bool {
        guard (dataInterface.isEmpty ? interface : dataInterface) == name else { return false }
        guard !hardwareAddress.isEmpty, let address, !address.isEmpty else { return true }
        return hardwareAddress == Self.text(address)
    }

    private static func text(_ address: [UInt8]) -> String {
        address.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined(separator: ":")
    }
}
