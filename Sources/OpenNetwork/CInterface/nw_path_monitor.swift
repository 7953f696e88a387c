// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized, NoLeadingUnderscores
// The names are those of Apple's C interface.

#if !canImport(Darwin)

public import Dispatch
import NetworkModel
package import NetworkState
import Synchronization

/// The object type behind a path monitor of the C interface.
public protocol OS_nw_path_monitor: AnyObject, Sendable {}

/// A path monitor of the C interface: the same monitor as `NWPathMonitor`.
public typealias nw_path_monitor_t = any OS_nw_path_monitor
/// Receives each path, on the monitor's queue.
public typealias nw_path_monitor_update_handler_t = @Sendable (nw_path_t) -> Void
/// Called once a monitor is cancelled, on its queue.
public typealias nw_path_monitor_cancel_handler_t = @Sendable () -> Void

/// Creates a monitor of every type of interface.
///
/// ```swift
/// let monitor = nw_path_monitor_create()
/// nw_path_monitor_set_queue(monitor, .main)
/// nw_path_monitor_set_update_handler(monitor) { path in
///     print(nw_path_get_status(path) == nw_path_status_satisfied)
/// }
/// nw_path_monitor_start(monitor)
/// ```
///
/// A started monitor lives until `nw_path_monitor_cancel`. Source: Apple's documentation of Network's C interface.
public func nw_path_monitor_create() -> nw_path_monitor_t { PathMonitorObject(requiredType: nil) }

/// Creates a monitor of one type of interface.
public func nw_path_monitor_create_with_type(_ required_interface_type: nw_interface_type_t) -> nw_path_monitor_t {
    PathMonitorObject(requiredType: required_interface_type.interfaceType)
}

/// Creates a monitor of every type of interface that observes a given source.
package func pathMonitorObject(observing source: any NetworkStateSource) -> nw_path_monitor_t {
    PathMonitorObject(requiredType: nil, source: source)
}

/// Excludes a type of interface; this has an effect only before the start.
public func nw_path_monitor_prohibit_interface_type(
    _ monitor: nw_path_monitor_t, _ interface_type: nw_interface_type_t
) {
    PathMonitorObject.of(monitor)?.prohibit(interface_type.interfaceType)
}

/// Sets the queue of the handlers; a monitor without a queue does not start.
public func nw_path_monitor_set_queue(_ monitor: nw_path_monitor_t, _ queue: DispatchQueue) {
    PathMonitorObject.of(monitor)?.setQueue(queue)
}

/// Sets the handler that is called with the current path soon after the start, and with each later one.
@preconcurrency
public func nw_path_monitor_set_update_handler(
    _ monitor: nw_path_monitor_t, _ update_handler: @escaping nw_path_monitor_update_handler_t
) {
    PathMonitorObject.of(monitor)?.setUpdateHandler(update_handler)
}

/// Sets the handler that is called once after the last update, when a started monitor has been cancelled.
@preconcurrency
public func nw_path_monitor_set_cancel_handler(
    _ monitor: nw_path_monitor_t, _ cancel_handler: @escaping nw_path_monitor_cancel_handler_t
) {
    PathMonitorObject.of(monitor)?.setCancelHandler(cancel_handler)
}

/// Starts a monitor that has a queue.
///
/// A monitor starts once; after it was cancelled it cannot be started again.
public func nw_path_monitor_start(_ monitor: nw_path_monitor_t) { PathMonitorObject.of(monitor)?.start() }

/// Stops a monitor permanently.
public func nw_path_monitor_cancel(_ monitor: nw_path_monitor_t) { PathMonitorObject.of(monitor)?.cancel() }

/// A path monitor of the C interface: only settings until it starts, and then an `NWPathMonitor`.
private final class PathMonitorObject: OS_nw_path_monitor {
    private struct State {
        var prohibitedTypes: Set<NWInterface.InterfaceType> = []
        var queue: DispatchQueue?
        var updateHandler: nw_path_monitor_update_handler_t?
        var cancelHandler: nw_path_monitor_cancel_handler_t?
        /// The monitor, once started, and the serial queue that both handlers are called on.
        var running: (monitor: NWPathMonitor, queue: DispatchQueue)?
        var isCancelled = false
    }

    private let requiredType: NWInterface.InterfaceType?
    /// The source of the network's state; nil means the kernel.
    private let source: (any NetworkStateSource)?
    private let state = Mutex(State())

    init(requiredType: NWInterface.InterfaceType?, source: (any NetworkStateSource)? = nil) {
        self.requiredType = requiredType
        self.source = source
    }

    static func of(_ monitor: nw_path_monitor_t) -> PathMonitorObject? { monitor as? PathMonitorObject }

    func prohibit(_ type: NWInterface.InterfaceType) {
        state.withLock { state in
            if state.running == nil { state.prohibitedTypes.insert(type) }
        }
    }

    func setQueue(_ queue: DispatchQueue) {
        state.withLock { state in
            if state.running == nil { state.queue = queue }
        }
    }

    func setUpdateHandler(_ handler: @escaping nw_path_monitor_update_handler_t) {
        // The previous handler is released outside the lock.
        let former = state.withLock { state -> State in
            defer { if !state.isCancelled { state.updateHandler = handler } }
            return state
        }
        guard !former.isCancelled else { return }
        former.running?.monitor.pathUpdateHandler = Self.pathHandler(handler)
    }

    func setCancelHandler(_ handler: @escaping nw_path_monitor_cancel_handler_t) {
        // The previous handler is released outside the lock.
        _ = state.withLock { state -> nw_path_monitor_cancel_handler_t? in
            defer { if !state.isCancelled { state.cancelHandler = handler } }
            return state.cancelHandler
        }
    }

    func start() {
        let started = state.withLock { state -> (monitor: NWPathMonitor, queue: DispatchQueue)? in
            guard let queue = state.queue, state.running == nil, !state.isCancelled else { return nil }
            let running = (
                NWPathMonitor(
                    PathFilter(requiredType: requiredType, prohibitedTypes: state.prohibitedTypes), source: source),
                // A serial queue, so that the cancel handler is called after an update in progress.
                DispatchQueue(label: "dialtone.path.c", target: queue)
            )
            running.0.pathUpdateHandler = state.updateHandler.map(Self.pathHandler)
            state.running = running
            return running
        }
        if let started { started.monitor.start(queue: started.queue) }
    }

    func cancel() {
        // The handlers' captured objects are released outside the lock.
        let former = state.withLock { state -> State in
            defer {
                state.updateHandler = nil
                state.cancelHandler = nil
                state.isCancelled = true
            }
            return state
        }
        guard !former.isCancelled, let running = former.running else { return }
        running.monitor.cancel()
        running.monitor.pathUpdateHandler = nil
        if let cancelHandler = former.cancelHandler { running.queue.async(execute: cancelHandler) }
    }

    private static func pathHandler(
        _ handler: @escaping nw_path_monitor_update_handler_t
    ) -> @Sendable (NWPath) -> Void {
        { handler(PathObject($0)) }
    }
}

#endif
