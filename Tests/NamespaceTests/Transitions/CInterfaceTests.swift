// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
import Netlink
import OpenNetwork
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct CInterfaceTests {
    /// Describes a path through the C interface, on one line.
    private static func line(_ path: nw_path_t) -> String {
        var parts = ["\(nw_path_get_status(path).rawValue)"]
        nw_path_enumerate_interfaces(path) { interface in
            parts.append(String(cString: nw_interface_get_name(interface)))
            parts.append(nw_interface_get_type(interface) == nw_interface_type_wired ? "wired" : "?")
            return true
        }
        nw_path_enumerate_gateways(path) { gateway in
            parts.append("\(String(cString: nw_endpoint_get_hostname(gateway))):\(nw_endpoint_get_port(gateway))")
            return true
        }
        return parts.joined(separator: " ")
    }

    @Test func `a default route that comes and goes is reported through the C interface`() async throws {
        let lab = try await Lab()
        let index = try await lab.cable("up0", addresses: ["192.0.2.2/24"])
        let (wired, wifi) = (Recorder<String>(), Recorder<String>())
        let monitors = [nw_path_monitor_create(), nw_path_monitor_create_with_type(nw_interface_type_wifi)]
        let queue = DispatchQueue(label: "c")
        for (monitor, recorder) in zip(monitors, [wired, wifi]) {
            nw_path_monitor_set_queue(monitor, queue)
            nw_path_monitor_set_update_handler(monitor) { recorder.record(Self.line($0)) }
            try await lab.run { nw_path_monitor_start(monitor) }
        }
        defer { for monitor in monitors { nw_path_monitor_cancel(monitor) } }
        #expect(try await wired.next() == "2")
        #expect(try await wifi.next() == "2")
        for _ in 1...5 {
            try await lab.change { try $0.addDefault(via: "192.0.2.1", on: index) }
            #expect(try await wired.next() == "1 up0 wired 192.0.2.1:0")
            try await lab.change { try $0.deleteRoute(NewRoute(.all(.ipv4), via: "192.0.2.1", interface: index)) }
            #expect(try await wired.next() == "2")
        }
        #expect(wifi.values == ["2"])
    }
}
#endif
