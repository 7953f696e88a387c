// SPDX-License-Identifier: Apache-2.0

// On Apple platforms these are Apple's own functions.
#if !canImport(Darwin)
import Dispatch
import Foundation
import Network
import Synchronization
import TestSupport
import Testing

/// The class of an article on Network's C interface, transcribed from Objective-C line by line.
private final class ExampleNetworkMonitor: Sendable {
    static let statusChange = Notification.Name("com.example.network.status-change")
    private let monitor = Mutex<nw_path_monitor_t?>(nil)
    private let monitorQueue = DispatchQueue(label: "com.example.network.monitor", qos: .utility)
    private let center: NotificationCenter

    init(center: NotificationCenter) { self.center = center }

    func startNetworkMonitoring() {
        let monitor = nw_path_monitor_create()
        self.monitor.withLock { $0 = monitor }
        nw_path_monitor_set_queue(monitor, monitorQueue)
        nw_path_monitor_set_update_handler(monitor) { [center] path in
            let status = nw_path_get_status(path)
            let isWiFi = nw_path_uses_interface_type(path, nw_interface_type_wifi)
            let isCellular = nw_path_uses_interface_type(path, nw_interface_type_cellular)
            let isEthernet = nw_path_uses_interface_type(path, nw_interface_type_wired)
            let isExpensive = nw_path_is_expensive(path)
            let hasIPv4 = nw_path_has_ipv4(path)
            let hasIPv6 = nw_path_has_ipv6(path)
            let hasNewDNS = nw_path_has_dns(path)
            let userInfo: [AnyHashable: Any] = [
                "isWiFi": isWiFi,
                "isCellular": isCellular,
                "isEthernet": isEthernet,
                "status": status.rawValue,
                "isExpensive": isExpensive,
                "hasIPv4": hasIPv4,
                "hasIPv6": hasIPv6,
                "hasNewDNS": hasNewDNS,
            ]
            center.post(name: Self.statusChange, object: nil, userInfo: userInfo)
        }
        nw_path_monitor_start(monitor)
    }

    func stopNetworkMonitoring() {
        if let monitor = monitor.withLock({ $0 }) { nw_path_monitor_cancel(monitor) }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct CInterfaceTests {
    /// The properties of a path through the C interface.
    private struct Shown: Equatable, Sendable {
        var status: UInt32
        var types: [Bool]
        var flags: [Bool]
        var interfaces: [String] = []
        var numbers: [Int] = []

        init(_ path: nw_path_t) {
            status = nw_path_get_status(path).rawValue
            types = (0...4).map { nw_path_uses_interface_type(path, nw_interface_type_t($0)) }
            flags = [
                nw_path_is_expensive(path), nw_path_is_constrained(path), nw_path_has_ipv4(path),
                nw_path_has_ipv6(path), nw_path_has_dns(path),
            ]
            nw_path_enumerate_interfaces(path) { interface in
                interfaces.append(String(cString: nw_interface_get_name(interface)))
                numbers.append(Int(nw_interface_get_index(interface)))
                return true
            }
        }

        init(_ path: NWPath) {
            status =
                switch path.status {
                case .satisfied: nw_path_status_satisfied.rawValue
                case .unsatisfied: nw_path_status_unsatisfied.rawValue
                case .requiresConnection: nw_path_status_satisfiable.rawValue
                @unknown default: nw_path_status_invalid.rawValue
                }
            types = [NWInterface.InterfaceType.other, .wifi, .cellular, .wiredEthernet, .loopback]
                .map(path.usesInterfaceType)
            flags = [path.isExpensive, path.isConstrained, path.supportsIPv4, path.supportsIPv6, path.supportsDNS]
            interfaces = path.availableInterfaces.map(\.name)
            numbers = path.availableInterfaces.map(\.index)
        }
    }

    @Test func `the article's monitor posts the current path after its start`() async throws {
        let center = NotificationCenter()
        let posts = Recorder<[String]>()
        let token = center.addObserver(forName: ExampleNetworkMonitor.statusChange, object: nil, queue: nil) { post in
            posts.record((post.userInfo ?? [:]).keys.compactMap { $0 as? String }.sorted())
        }
        defer { center.removeObserver(token) }
        let monitor = ExampleNetworkMonitor(center: center)
        monitor.startNetworkMonitoring()
        defer { monitor.stopNetworkMonitoring() }
        let keys = try await posts.next()
        #expect(
            keys == [
                "hasIPv4", "hasIPv6", "hasNewDNS", "isCellular", "isEthernet", "isExpensive", "isWiFi", "status",
            ])
    }

    @Test func `a path shows in C what it shows in Swift`() async throws {
        let (inSwift, inC) = (Recorder<Shown>(), Recorder<Shown>())
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { inSwift.record(Shown($0)) }
        monitor.start(queue: DispatchQueue(label: "swift"))
        defer { monitor.cancel() }
        let other = nw_path_monitor_create()
        nw_path_monitor_set_update_handler(other) { inC.record(Shown($0)) }
        nw_path_monitor_set_queue(other, DispatchQueue(label: "c"))
        nw_path_monitor_start(other)
        defer { nw_path_monitor_cancel(other) }
        let (one, two) = (try await inSwift.next(), try await inC.next())
        #expect(one == two)
    }

    @Test func `the cancel handler is called once, on the queue, after the last update`() async throws {
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "monitor", attributes: .concurrent)
        queue.setSpecific(key: key, value: "mine")
        let events = Recorder<String>()
        let monitor = nw_path_monitor_create()
        nw_path_monitor_set_queue(monitor, queue)
        nw_path_monitor_set_update_handler(monitor) { _ in events.record("update") }
        nw_path_monitor_set_cancel_handler(monitor) {
            events.record(DispatchQueue.getSpecific(key: key) == "mine" ? "cancelled" : "on another queue")
        }
        nw_path_monitor_start(monitor)
        #expect(try await events.next() == "update")
        nw_path_monitor_cancel(monitor)
        nw_path_monitor_cancel(monitor)
        #expect(try await events.next() == "cancelled")
        nw_path_monitor_start(monitor)
        await queue.drained()
        #expect(events.values.filter { $0 == "cancelled" }.count == 1)
    }

    @Test func `a monitor without a queue does not start, and a cancelled one calls no handler`() async throws {
        let events = Recorder<String>()
        let monitor = nw_path_monitor_create_with_type(nw_interface_type_wifi)
        nw_path_monitor_prohibit_interface_type(monitor, nw_interface_type_cellular)
        nw_path_monitor_set_update_handler(monitor) { _ in events.record("update") }
        nw_path_monitor_set_cancel_handler(monitor) { events.record("cancelled") }
        nw_path_monitor_start(monitor)
        nw_path_monitor_cancel(monitor)
        let queue = DispatchQueue(label: "monitor")
        nw_path_monitor_set_queue(monitor, queue)
        nw_path_monitor_start(monitor)
        // The first path of a new monitor proves that a path could have been delivered.
        let others = Recorder<String>()
        let other = nw_path_monitor_create()
        nw_path_monitor_set_queue(other, queue)
        nw_path_monitor_set_update_handler(other) { _ in others.record("update") }
        nw_path_monitor_start(other)
        defer { nw_path_monitor_cancel(other) }
        _ = try await others.next()
        #expect(events.values.isEmpty)
    }

    @Test func `the constants have Apple's values`() {
        let statuses = [
            nw_path_status_invalid, nw_path_status_satisfied, nw_path_status_unsatisfied, nw_path_status_satisfiable,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3])
        let reasons = [
            nw_path_unsatisfied_reason_not_available, nw_path_unsatisfied_reason_cellular_denied,
            nw_path_unsatisfied_reason_wifi_denied, nw_path_unsatisfied_reason_local_network_denied,
            nw_path_unsatisfied_reason_vpn_inactive,
        ]
        #expect(reasons.map(\.rawValue) == [0, 1, 2, 3, 4])
        let types = [
            nw_interface_type_other, nw_interface_type_wifi, nw_interface_type_cellular, nw_interface_type_wired,
            nw_interface_type_loopback,
        ]
        #expect(types.map(\.rawValue) == [0, 1, 2, 3, 4])
        let qualities = [
            nw_link_quality_unknown, nw_link_quality_minimal, nw_link_quality_moderate, nw_link_quality_good,
        ]
        #expect(qualities.map(\.rawValue) == [0, 10, 20, 30])
    }
}
#endif
