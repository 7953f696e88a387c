// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

import CoreFoundation
public import Foundation

/// Runs the calling thread's loop in one mode, for a limited time.
@discardableResult
public func CFRunLoopRunInMode(
    _ mode: CFRunLoopMode!, _ seconds: CFTimeInterval, _ returnAfterSourceHandled: Bool
) -> CFRunLoopRunResult {
    let result = CoreFoundation.CFRunLoopRunInMode(
        RunLoopModeName.coreFoundation(mode.rawValue as String), seconds, returnAfterSourceHandled)
    return CFRunLoopRunResult(rawValue: Int32(result.rawValue)) ?? .finished
}

/// The reason why a run of a loop ended.
#if hasAttribute(nonexhaustive)
@nonexhaustive(warn)
#endif
public enum CFRunLoopRunResult: Int32, Sendable {
    /// The loop has no source or timer left.
    case finished = 1
    /// The loop was stopped.
    case stopped = 2
    /// The time limit was reached.
    case timedOut = 3
    /// The loop has handled a source, and the caller asked it to return after one.
    case handledSource = 4
}

/// A mode of a run loop, which selects the sources that the loop serves.
public struct CFRunLoopMode: RawRepresentable, Hashable {
    /// The name of the mode.
    public let rawValue: CFString

    /// Creates a mode from its name.
    public init(rawValue: CFString) { self.rawValue = rawValue }

    /// Creates a mode from its name.
    public init(_ rawValue: CFString) { self.rawValue = rawValue }

    /// The default mode.
    public static var defaultMode: CFRunLoopMode! { CFRunLoopMode(RunLoopModeName.default as NSString) }

    /// All modes that a loop treats as common.
    public static var commonModes: CFRunLoopMode! { CFRunLoopMode(RunLoopModeName.common as NSString) }
}

/// The names of modes, as Foundation's strings and as Core Foundation's.
enum RunLoopModeName {
    static let `default` = "kCFRunLoopDefaultMode"
    static let common = "kCFRunLoopCommonModes"
    private static let utf8: CFStringEncoding = 0x0800_0100

    static func coreFoundation(_ text: String) -> CoreFoundation.CFString {
        // Core Foundation identifies these two by their address.
        if text == common { return CoreFoundation.kCFRunLoopCommonModes }
        if text == `default` { return CoreFoundation.kCFRunLoopDefaultMode }
        return unsafe CFStringCreateWithCString(nil, text, utf8) ?? CoreFoundation.kCFRunLoopDefaultMode
    }

    static func foundation(_ name: CoreFoundation.CFString) -> NSString {
        let capacity = CFStringGetMaximumSizeForEncoding(CFStringGetLength(name), utf8) + 1
        var text = [CChar](repeating: 0, count: Int(capacity))
        guard unsafe CFStringGetCString(name, &text, capacity, utf8) else { return common as NSString }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) as NSString
    }
}

#endif
