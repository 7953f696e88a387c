// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import CoreFoundation
import SystemConfiguration

/// A client that also imports Core Foundation and uses its constants; Apple's Swift names these `CFRunLoopMode`.
func watchOnce(_ target: SCNetworkReachability) -> Bool {
    let loop: CFRunLoop = CFRunLoopGetCurrent()
    guard SCNetworkReachabilityScheduleWithRunLoop(target, loop, kCFRunLoopDefaultMode) else { return false }
    CFRunLoopWakeUp(loop)
    return SCNetworkReachabilityUnscheduleFromRunLoop(target, CFRunLoopGetCurrent(), kCFRunLoopDefaultMode)
}
#endif
