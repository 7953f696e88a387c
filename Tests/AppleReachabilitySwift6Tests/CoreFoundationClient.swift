//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CoreFoundation
import SystemConfiguration

/// A file that imports Core Foundation too, and uses its constants.
func watchOnce(_ target: SCNetworkReachability) -> Bool {
    let loop: CFRunLoop = CFRunLoopGetCurrent()
    guard SCNetworkReachabilityScheduleWithRunLoop(target, loop, kCFRunLoopDefaultMode) else { return false }
    CFRunLoopWakeUp(loop)
    return SCNetworkReachabilityUnscheduleFromRunLoop(target, CFRunLoopGetCurrent(), kCFRunLoopDefaultMode)
}
