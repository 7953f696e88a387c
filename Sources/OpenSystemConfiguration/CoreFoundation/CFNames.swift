// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

public import Foundation

// On Apple platforms Foundation provides these. On Linux it does not expose them, and CoreFoundation's own string and
// error types do not convert from Swift's; a file that also imports CoreFoundation must qualify the names.

/// Core Foundation's string type: here Foundation's, so that `"text" as CFString` compiles.
public typealias CFString = NSString
/// Core Foundation's error type: here Foundation's.
public typealias CFError = NSError
/// A count or position in Core Foundation's interfaces.
public typealias CFIndex = Int
/// Identifies a class of Core Foundation.
public typealias CFTypeID = UInt
/// A time interval in seconds.
public typealias CFTimeInterval = Double
/// Returns an error's code.
@discardableResult
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// Returns an error's domain.
@discardableResult
public func CFErrorGetDomain(_ error: CFError) -> CFString { error.domain as NSString }

/// Returns an error's description for people.
@discardableResult
public func CFErrorCopyDescription(_ error: CFError) -> CFString { error.localizedDescription as NSString }

#endif
