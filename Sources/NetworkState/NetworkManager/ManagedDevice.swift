// SPDX-License-Identifier: Apache-2.0

import Netlink

/// A device as NetworkManager describes it, reduced to the properties used here.
struct ManagedDevice: Hashable {
    /// The name of the link, or of the control port for a modem.
    var interface = ""
    /// The name of the link that carries the packets; empty without one.
    var dataInterface = ""
    /// The hardware address in the form `02:00:00:00:01:00`; empty without one.
    var hardwareAddress = ""
    var metered = Metered.unknown
    var isModem = false
}

extension ManagedDevice {
    /// Applies properties of `org.freedesktop.NetworkManager.Device`; missing properties keep their values.
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

    /// Returns whether this device is the given link.
    ///
    /// NetworkManager describes its own network namespace, in which a different link may have the same name. If both
    /// hardware addresses are known, they must be equal.
    func isLink(named name: String, hardwareAddress address: [UInt8]?) -> Bool {
        guard (dataInterface.isEmpty ? interface : dataInterface) == name else { return false }
        guard !hardwareAddress.isEmpty, let address = address.flatMap({ MACAddress(bytes: $0) }) else { return true }
        return hardwareAddress == address.description
    }
}
