// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import CoreFoundation
public import Foundation

extension RunLoop {
    /// Returns the Core Foundation object of this loop.
    ///
    /// The result is exact for the main loop and the calling thread's. Foundation does not expose the object of another
    /// thread's loop, so reflection is used to find what it stores; if that fails, the result is the main loop.
    public func getCFRunLoop() -> CFRunLoop {
        if self === RunLoop.current { return CoreFoundation.CFRunLoopGetCurrent() }
        if self !== RunLoop.main {
            for child in Mirror(reflecting: self).children where child.label == "_cfRunLoopStorage" {
                let object = child.value as AnyObject
                guard CFGetTypeID(object) == CFRunLoopGetTypeID() else { continue }
                // The type check above proves that the object is a run loop; Swift cannot cast it here.
                let pointer = unsafe Unmanaged.passUnretained(object).toOpaque()
                return unsafe Unmanaged<CFRunLoop>.fromOpaque(pointer).takeUnretainedValue()
            }
        }
        return CoreFoundation.CFRunLoopGetMain()
    }
}

extension RunLoop.Mode: @retroactive _ObjectiveCBridgeable {
    /// Returns the mode's name, for `mode as CFString`.
    public func _bridgeToObjectiveC() -> NSString { rawValue as NSString }

    /// Creates a mode from a name, for `name as! RunLoop.Mode`.
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout RunLoop.Mode?) {
        result = RunLoop.Mode(rawValue: source as String)
    }

    /// Creates a mode from a name, for `name as? RunLoop.Mode`.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout RunLoop.Mode?) -> Bool {
        result = RunLoop.Mode(rawValue: source as String)
        return true
    }

    /// Returns the mode with a name, for `name as RunLoop.Mode`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> RunLoop.Mode {
        source.map { RunLoop.Mode(rawValue: $0 as String) } ?? .default
    }
}

#endif
