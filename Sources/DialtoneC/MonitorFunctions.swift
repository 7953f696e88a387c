// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation
// The functions are documented in `Library/dialtone.h`.

import LibC
import NetworkModel
import SystemSupport

/// The object behind a `dialtone_path_monitor_t`; the monitor is cancelled when the caller has released it.
private final class MonitorObject: Sendable {
    let monitor = Monitor()

    deinit { monitor.cancel() }
}

/// A handler's context, which the library only passes on.
///
/// The caller guards what it points to.
@safe private struct Context: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?
}

/// `dialtone_path_handler_t`.
public typealias PathHandler = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
/// `dialtone_cancel_handler_t`.
public typealias CancelHandler = @convention(c) (UnsafeMutableRawPointer?) -> Void

private func call(_ handler: PathHandler, _ state: PathState, _ context: Context) {
    let path = unsafe PathObject.retained(state)
    unsafe handler(path, context.pointer)
    unsafe dialtone_path_release(path)
}

private func monitor(_ pointer: UnsafeRawPointer?) throws(SystemError) -> Monitor {
    guard let object = unsafe object(pointer, MonitorObject.self) else { throw SystemError(EINVAL) }
    return object.monitor
}

private func interfaceType(_ value: UInt32) throws(SystemError) -> InterfaceType {
    guard let type = InterfaceType(cValue: value) else { throw SystemError(EINVAL) }
    return type
}

@_cdecl("dialtone_path_monitor_create")
public func dialtone_path_monitor_create() -> UnsafeMutableRawPointer? {
    unsafe UserProcess.pointer { () throws(SystemError) in unsafe Unmanaged.passRetained(MonitorObject()).toOpaque() }
}

@_cdecl("dialtone_path_monitor_require_interface_type")
public func dialtone_path_monitor_require_interface_type(_ pointer: UnsafeMutableRawPointer?, _ type: UInt32) -> Int32 {
    UserProcess.status { () throws(SystemError) in
        let type = try interfaceType(type)
        try unsafe monitor(pointer).configure { $0.filter.requiredType = type }
    }
}

@_cdecl("dialtone_path_monitor_prohibit_interface_type")
public func dialtone_path_monitor_prohibit_interface_type(
    _ pointer: UnsafeMutableRawPointer?, _ type: UInt32
) -> Int32 {
    UserProcess.status { () throws(SystemError) in
        let type = try interfaceType(type)
        try unsafe monitor(pointer).configure { $0.filter.prohibitedTypes.insert(type) }
    }
}

@_cdecl("dialtone_path_monitor_verify_internet")
public func dialtone_path_monitor_verify_internet(_ pointer: UnsafeMutableRawPointer?) -> Int32 {
    UserProcess.status { () throws(SystemError) in try unsafe monitor(pointer).configure { $0.isVerifying = true } }
}

@_cdecl("dialtone_path_monitor_set_update_handler")
public func dialtone_path_monitor_set_update_handler(
    _ pointer: UnsafeMutableRawPointer?, _ handler: PathHandler?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    let context = unsafe Context(pointer: context)
    var update: (@Sendable (PathState) -> Void)?
    if let handler = unsafe handler { update = { unsafe call(handler, $0, context) } }
    return UserProcess.status { () throws(SystemError) in
        try unsafe monitor(pointer).configure { $0.updateHandler = update }
    }
}

@_cdecl("dialtone_path_monitor_set_cancel_handler")
public func dialtone_path_monitor_set_cancel_handler(
    _ pointer: UnsafeMutableRawPointer?, _ handler: CancelHandler?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    let context = unsafe Context(pointer: context)
    var cancelled: (@Sendable () -> Void)?
    if let handler = unsafe handler { cancelled = { unsafe handler(context.pointer) } }
    return UserProcess.status { () throws(SystemError) in
        try unsafe monitor(pointer).configure { $0.cancelHandler = cancelled }
    }
}

@_cdecl("dialtone_path_monitor_start")
public func dialtone_path_monitor_start(_ pointer: UnsafeMutableRawPointer?) -> Int32 {
    UserProcess.status { () throws(SystemError) in try unsafe monitor(pointer).start() }
}

@_cdecl("dialtone_path_monitor_get_fd")
public func dialtone_path_monitor_get_fd(_ pointer: UnsafeMutableRawPointer?) -> Int32 {
    var descriptor: Int32 = 0
    let status = UserProcess.status { () throws(SystemError) in descriptor = try unsafe monitor(pointer).descriptor() }
    return status == 0 ? descriptor : status
}

@_cdecl("dialtone_path_monitor_copy_path")
public func dialtone_path_monitor_copy_path(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe UserProcess.pointer { () throws(SystemError) in try unsafe PathObject.retained(monitor(pointer).copy()) }
}

@_cdecl("dialtone_path_monitor_cancel")
public func dialtone_path_monitor_cancel(_ pointer: UnsafeMutableRawPointer?) -> Int32 {
    UserProcess.status { () throws(SystemError) in try unsafe monitor(pointer).cancel() }
}

@_cdecl("dialtone_path_monitor_retain")
public func dialtone_path_monitor_retain(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe pointer.map { unsafe Unmanaged<MonitorObject>.fromOpaque($0).retain().toOpaque() }
}

@_cdecl("dialtone_path_monitor_release")
public func dialtone_path_monitor_release(_ pointer: UnsafeMutableRawPointer?) {
    // In a forked child, cancelling could wait for a lock that will never be released.
    guard let pointer = unsafe pointer, !UserProcess.isForked else { return }
    unsafe Unmanaged<MonitorObject>.fromOpaque(pointer).release()
}
