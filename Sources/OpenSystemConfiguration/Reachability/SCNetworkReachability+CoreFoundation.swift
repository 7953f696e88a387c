//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(Darwin)

public import CoreFoundation
import Foundation

// Core Foundation's own strings, such as `kCFRunLoopDefaultMode`, name modes too.

/// Starts watching, with callbacks in a mode of a run loop; there may be several.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, for a target that is scheduled on a queue.
@discardableResult
public func SCNetworkReachabilityScheduleWithRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CoreFoundation.CFString
) -> Bool {
    SCNetworkReachabilityScheduleWithRunLoop(target, runLoop, RunLoopModeName.foundation(runLoopMode))
}

/// Stops watching in a mode of a run loop; with the last one, altogether.
///
/// - Returns: false, with the status `kSCStatusInvalidArgument`, for a target that is in no run loop.
@discardableResult
public func SCNetworkReachabilityUnscheduleFromRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CoreFoundation.CFString
) -> Bool {
    SCNetworkReachabilityUnscheduleFromRunLoop(target, runLoop, RunLoopModeName.foundation(runLoopMode))
}

#endif
