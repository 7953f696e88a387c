//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

public import Dispatch
public import Foundation

/// Gives a target's flags.
///
/// While the target is scheduled these are the last known ones. Else the kernel is asked now; the resolver is not, so that a
/// name is as reachable as anywhere is.
///
/// - Returns: true; the flags may be empty. Source: Apple's documentation of `SCNetworkReachabilityGetFlags(_:_:)`.
@discardableResult
public func SCNetworkReachabilityGetFlags(
    _ target: SCNetworkReachability, _ flags: UnsafeMutablePointer<SCNetworkReachabilityFlags>
) -> Bool {
    flags.pointee = target.flags
    return true
}

/// Sets what is called when the target's reachability changes, or (nil) that nothing is.
///
/// The context's `info` is retained at once, around each call, and released when the callback is replaced or the target goes
/// away.
///
/// - Returns: true. Source: Apple's documentation of `SCNetworkReachabilitySetCallback(_:_:_:)`.
@discardableResult
public func SCNetworkReachabilitySetCallback(
    _ target: SCNetworkReachability, _ callout: SCNetworkReachabilityCallBack?,
    _ context: UnsafeMutablePointer<SCNetworkReachabilityContext>?
) -> Bool {
    target.setClient(callout, context?.pointee)
    return true
}

/// Starts watching, with callbacks on a queue, or (nil) stops.
///
/// A name's first callback comes soon, whatever happens; an address's when something changes. A target that is watched lives
/// until that is stopped. Stopping drops a callback that has not begun.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, for a target that is scheduled already, or (nil) for one that is
///   not. Source: Apple's documentation of `SCNetworkReachabilitySetDispatchQueue(_:_:)`.
@discardableResult
public func SCNetworkReachabilitySetDispatchQueue(_ target: SCNetworkReachability, _ queue: DispatchQueue?) -> Bool {
    let isDone = queue.map(target.schedule(on:)) ?? target.unschedule()
    return isDone || LastError.fail(kSCStatusInvalidArgument)
}

/// Starts watching, with callbacks in a mode of a run loop; there may be several.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, for a target that is scheduled on a queue. Source: Apple's
///   documentation of `SCNetworkReachabilityScheduleWithRunLoop(_:_:_:)`.
@discardableResult
public func SCNetworkReachabilityScheduleWithRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CFString
) -> Bool {
    target.schedule(in: RunLoopPlace(runLoop, runLoopMode)) || LastError.fail(kSCStatusInvalidArgument)
}

/// Stops watching in a mode of a run loop; with the last one, altogether.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, for a target that is in no run loop. Source: Apple's documentation
///   of `SCNetworkReachabilityUnscheduleFromRunLoop(_:_:_:)`.
@discardableResult
public func SCNetworkReachabilityUnscheduleFromRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CFString
) -> Bool {
    target.unschedule(from: RunLoopPlace(runLoop, runLoopMode)) || LastError.fail(kSCStatusInvalidArgument)
}

#endif
