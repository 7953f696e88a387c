// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import DialtoneNotifications
import DialtoneServer
import Dispatch
import SystemSupport

/// Watches one network with each class that delivers changes, for the demonstration.
///
/// Each row has the value that one class has delivered; nothing is derived from another row.
final class VariantWatch: Sendable {
    private struct State {
        var values: [Variant: String] = [:]
        var stops: [@Sendable () -> Void] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    let queue = DispatchQueue(label: "dialtone.variants")
    private let receive: @Sendable (Variant, String) -> Void

    /// Creates a watch without starting it.
    ///
    /// - Parameter receive: called with each change; must return quickly.
    init(receive: @escaping @Sendable (Variant, String) -> Void) { self.receive = receive }

    deinit { stop() }

    /// The rows, in order, with the newest value of each.
    ///
    /// - Parameter request: the last request on this network.
    func rows(_ request: RequestProgress) -> [VariantRow] {
        var values = state.withLock { $0.values }
        values[.lastRequest] = request.kind.rawValue
        return Variant.allCases.map { VariantRow(variant: $0, value: values[$0]) }
    }

    /// - Parameters:
    ///   - host: the host of the rows that need one.
    ///   - room: a waiting room that follows the monitor.
    func start(_ source: any VariantSource, host: String, monitor: ConnectivityMonitor, room: WaitingRoom) {
        listen(.zeroAddress, source.makeListener(.defaultRoute))
        listen(.hostName, source.makeListener(.host(host)))
        listen(.addressPair, source.makeListener(.pair))
        watch(.path, source.makePathMonitor(requiredInterfaceType: nil))
        watch(.wifiPath, source.makePathMonitor(requiredInterfaceType: .wifi))
        watch(.pathObject, source.makePathMonitorObject())
        #if Publishers
        startProviders(source)
        #endif
        let paths = NetworkPath.updates(of: source.makePathMonitor(requiredInterfaceType: nil))
        run { watch in for await path in paths { watch()?.record(path.rowText, of: .pathSequence) } }
        let observation = monitor.observe(on: queue) { [weak self] connectivity in
            self?.record(HistoryWording.state(HistoryState(connectivity.state)).sentenceCased, of: .connectivity)
        }
        whenStopped { observation.cancel() }
        sendTasks(monitor, room)
    }

    /// Starts a task for each state of the network: it waits in the room for a path, and then only reports that.
    private func sendTasks(_ monitor: ConnectivityMonitor, _ room: WaitingRoom) {
        run { watch in
            @Sendable func send() async throws {
                try await withConnectivity(WaitingPolicy(.path), in: room) { _ in
                    watch()?.record("waiting", of: .waitingTask)
                    return .keepWaiting
                } operation: {
                    watch()?.record("sent", of: .waitingTask)
                }
            }
            // After its first task, the room learns each state before this loop does.
            try await send()
            for await _ in monitor.updates() { try await send() }
        }
    }

    /// Stops watching; the values stay as they are.
    func stop() {
        let stops = state.withLock { state in
            defer { state.stops = [] }
            state.isStopped = true
            return state.stops
        }
        for stop in stops { stop() }
    }

    private func listen(_ variant: Variant, _ listener: ReachabilityListener?) {
        guard let listener else { return }
        listener.start(queue: queue) { [weak self] flags in
            self?.record("\(FlagText.text(flags)) \(FlagText.words(flags))", of: variant)
        }
        whenStopped { listener.stop() }
    }

    private func watch(_ variant: Variant, _ monitor: NWPathMonitor) {
        monitor.pathUpdateHandler = { [weak self] path in
            let links = path.availableInterfaces.map(\.name).joined(separator: ", ")
            let link = links.isEmpty ? "" : " over \(links)"
            self?.record("\(path.status)\(path.status == .satisfied ? link : "")", of: variant)
        }
        monitor.start(queue: queue)
        whenStopped { monitor.cancel() }
    }

    private func watch(_ variant: Variant, _ monitor: nw_path_monitor_t) {
        nw_path_monitor_set_queue(monitor, queue)
        nw_path_monitor_set_update_handler(monitor) { [weak self] path in
            let uses = [
                ("nw_interface_type_wifi", nw_interface_type_wifi),
                ("nw_interface_type_cellular", nw_interface_type_cellular),
                ("nw_interface_type_wired", nw_interface_type_wired),
            ].filter { nw_path_uses_interface_type(path, $0.1) }.map(\.0)
            let status = "nw_path_status_\(Self.name(nw_path_get_status(path)))"
            self?.record(([status] + uses).joined(separator: ", "), of: variant)
        }
        nw_path_monitor_start(monitor)
        whenStopped { nw_path_monitor_cancel(monitor) }
    }

    /// The end of a status's name in the C interface.
    private static func name(_ status: nw_path_status_t) -> String {
        switch status {
        case nw_path_status_satisfied: "satisfied"
        case nw_path_status_unsatisfied: "unsatisfied"
        case nw_path_status_satisfiable: "satisfiable"
        default: "invalid"
        }
    }

    /// Runs a task until the watch stops; the task must not keep the watch alive.
    private func run(_ body: @escaping @Sendable (_ watch: @Sendable () -> VariantWatch?) async throws -> Void) {
        let task = Task { [weak self] in try await body { self } }
        whenStopped { task.cancel() }
    }

    func whenStopped(_ stop: @escaping @Sendable () -> Void) { state.withLock { $0.stops.append(stop) } }

    func record(_ value: String, of variant: Variant) {
        let isNew = state.withLock { state in
            !state.isStopped && state.values.updateValue(value, forKey: variant) != value
        }
        if isNew { receive(variant, value) }
    }
}

extension NetworkPath {
    /// The path as a row shows it: what `NWPath` reports, and the diagnosis.
    fileprivate var rowText: String {
        if isUnknown { return "unknown" }
        if status == .satisfied { return "satisfied over \(interfaces.map(\.name).joined(separator: ", "))" }
        return "\(status)\(diagnosis.map { ": \($0)" } ?? "")"
    }
}
