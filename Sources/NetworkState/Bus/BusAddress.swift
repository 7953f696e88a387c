// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import SystemSupport

/// The address that the message bus listens on (D-Bus specification, "Server Addresses").
struct BusAddress: Hashable, Sendable {
    /// The name of the unix socket: a path, or an abstract name that begins with 0.
    let socketName: [UInt8]

    init(path: String) { socketName = Array(path.utf8) }

    /// Parses the first unix socket of a list of addresses; nil if the list has none.
    init?(parsing text: String) {
        for entry in text.split(separator: ";") where entry.hasPrefix("unix:") {
            for option in entry.dropFirst("unix:".count).split(separator: ",") {
                let parts = option.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, let value = parts[1].percentDecoded() else { continue }
                switch parts[0] {
                case "path": socketName = value
                case "abstract": socketName = [0] + value
                default: continue
                }
                return
            }
        }
        return nil
    }

    /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or the default path.
    ///
    /// If the variable names no unix socket, there is no bus to connect to.
    static var system: BusAddress? {
        guard let value = ProcessEnvironment.value("DBUS_SYSTEM_BUS_ADDRESS") else {
            return BusAddress(path: "/run/dbus/system_bus_socket")
        }
        return BusAddress(parsing: value)
    }

    /// The path; nil for an abstract name.
    private var path: String? { socketName.first == 0 ? nil : String(decoding: socketName, as: UTF8.self) }

    /// Whether a server may be listening: the name is abstract, or the file exists.
    var mayExist: Bool { path.map { (try? FileStatus($0)) != nil } ?? true }
}
#endif
