// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

public import Dispatch
public import Foundation

/// Returns a target's flags through a pointer.
///
/// While the target is scheduled, these are the last known flags. Otherwise the kernel is queried now, but not the
/// resolver: a name then has the reachability of the default route.
///
/// - Returns: true; the flags may be empty. Source: Apple's documentation of `SCNetworkReachabilityGetFlags(_:_:)`.
@discardableResult
public func SCNetworkReachabilityGetFlags(
    _ target: SCNetworkReachability, _ flags: UnsafeMutablePointer<SCNetworkReachabilityFlags>
) -> Bool {
    unsafe flags.pointee = target.flags
    return true
}

/// Sets the callback for changes of the target's reachability; nil removes it.
///
/// The context's `info` is retained at once and around each call, and released when the callback is replaced or the
/// target is released.
///
/// - Returns: true. Source: Apple's documentation of `SCNetworkReachabilitySetCallback(_:_:_:)`.
@discardableResult
public func SCNetworkReachabilitySetCallback(
    _ target: SCNetworkReachability, _ callout: SCNetworkReachabilityCallBack?,
    _ context: UnsafeMutablePointer<SCNetworkReachabilityContext>?
) -> Bool {
    unsafe target.setClient(callout, context?.pointee)
    return true
}

/// Starts watching with callbacks on a queue; nil stops it.
///
/// The first callback comes soon for a name, in any case, and on the first change for an address. A watched target
/// stays alive until watching stops. Stopping drops a callback that has not begun.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, if the target is already scheduled, or, for nil, if it
///   is not scheduled. Source: Apple's documentation of `SCNetworkReachabilitySetDispatchQueue(_:_:)`.
@discardableResult
public func SCNetworkReachabilitySetDispatchQueue(_ target: SCNetworkReachability, _ queue: DispatchQueue?) -> Bool {
    let isDone = queue.map(target.schedule(on:)) ?? target.unschedule()
    return isDone || LastError.fail(kSCStatusInvalidArgument)
}

/// Starts watching, with callbacks in a mode of a run loop; a target may be scheduled in several.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, if the target is scheduled on a queue. Source: Apple's
///   documentation of `SCNetworkReachabilityScheduleWithRunLoop(_:_:_:)`.
@discardableResult
public func SCNetworkReachabilityScheduleWithRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CFString
) -> Bool {
    target.schedule(in: ScheduledRunLoop(runLoop, runLoopMode)) || LastError.fail(kSCStatusInvalidArgument)
}

/// Stops watching in a mode of a run loop; removing the last one stops watching altogether.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, if the target is not scheduled in a run loop. Source:
///   Apple's documentation of `SCNetworkReachabilityUnscheduleFromRunLoop(_:_:_:)`.
@discardableResult
public func SCNetworkReachabilityUnscheduleFromRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CFString
) -> Bool {
    target.unschedule(from: ScheduledRunLoop(runLoop, runLoopMode)) || LastError.fail(kSCStatusInvalidArgument)
}

#endif
