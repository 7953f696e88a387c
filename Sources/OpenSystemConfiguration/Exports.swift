// SPDX-License-Identifier: Apache-2.0

// watchOS has no SystemConfiguration.
#if canImport(SystemConfiguration)
@_exported public import SystemConfiguration
#elseif !canImport(Darwin)
// Apple's module re-exports these, and sources written for it rely on that.
@_exported public import Dispatch
@_exported public import DispatchConstants
@_exported public import Foundation

// These are Core Foundation's own declarations, so a file may also import CoreFoundation without ambiguity.
@_exported public import class CoreFoundation.CFAllocator
@_exported public import class CoreFoundation.CFRunLoop
@_exported public import func CoreFoundation.CFRunLoopGetCurrent
@_exported public import func CoreFoundation.CFRunLoopGetMain
@_exported public import func CoreFoundation.CFRunLoopRun
@_exported public import func CoreFoundation.CFRunLoopStop
@_exported public import func CoreFoundation.CFRunLoopWakeUp
@_exported public import var CoreFoundation.kCFAllocatorDefault
@_exported public import var CoreFoundation.kCFRunLoopCommonModes
@_exported public import var CoreFoundation.kCFRunLoopDefaultMode
#endif
