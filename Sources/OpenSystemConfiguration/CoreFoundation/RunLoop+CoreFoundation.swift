//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

public import CoreFoundation
public import Foundation

extension RunLoop {
    /// The Core Foundation side of this loop.
    ///
    /// Exact for the main loop and the calling thread's. Of another thread's loop Foundation keeps it to itself; then what it
    /// stores is looked for by reflection, and where that fails the answer is the main loop.
    public func getCFRunLoop() -> CFRunLoop {
        if self === RunLoop.current { return CoreFoundation.CFRunLoopGetCurrent() }
        if self !== RunLoop.main {
            for child in Mirror(reflecting: self).children where child.label == "_cfRunLoopStorage" {
                let object = child.value as AnyObject
                guard CFGetTypeID(object) == CFRunLoopGetTypeID() else { continue }
                // Core Foundation has just said that it is one; Swift cannot check casts to its classes here.
                let pointer = Unmanaged.passUnretained(object).toOpaque()
                return Unmanaged<CFRunLoop>.fromOpaque(pointer).takeUnretainedValue()
            }
        }
        return CoreFoundation.CFRunLoopGetMain()
    }
}

extension RunLoop.Mode: @retroactive _ObjectiveCBridgeable {
    /// The mode's name, for `mode as CFString`.
    public func _bridgeToObjectiveC() -> NSString { rawValue as NSString }

    /// A mode of a name, for `name as! RunLoop.Mode`.
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout RunLoop.Mode?) {
        result = RunLoop.Mode(rawValue: source as String)
    }

    /// A mode of a name, for `name as? RunLoop.Mode`.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout RunLoop.Mode?) -> Bool {
        result = RunLoop.Mode(rawValue: source as String)
        return true
    }

    /// A mode of a name, for `name as RunLoop.Mode`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> RunLoop.Mode {
        source.map { RunLoop.Mode(rawValue: $0 as String) } ?? .default
    }
}

#endif
