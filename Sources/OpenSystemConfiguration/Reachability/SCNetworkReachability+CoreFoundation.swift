// SPDX-License-Identifier: Apache-2.0

// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(Darwin)

public import CoreFoundation
import Foundation

// Modes may also be named by Core Foundation's own strings, such as `kCFRunLoopDefaultMode`.

/// Starts watching, with callbacks in a mode of a run loop; a target may be scheduled in several.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, if the target is scheduled on a queue.
@discardableResult
public func SCNetworkReachabilityScheduleWithRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CoreFoundation.CFString
) -> Bool {
    SCNetworkReachabilityScheduleWithRunLoop(target, runLoop, RunLoopModeName.foundation(runLoopMode))
}

/// Stops watching in a mode of a run loop; removing the last one stops watching altogether.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, if the target is not scheduled in a run loop.
@discardableResult
public func SCNetworkReachabilityUnscheduleFromRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CoreFoundation.CFString
) -> Bool {
    SCNetworkReachabilityUnscheduleFromRunLoop(target, runLoop, RunLoopModeName.foundation(runLoopMode))
}

#endif
