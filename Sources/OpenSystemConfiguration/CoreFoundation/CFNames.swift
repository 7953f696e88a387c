//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

public import Foundation

// On Apple these come with Foundation. On Linux Foundation does not show them, and CoreFoundation's own string and error
// do not convert from Swift's; a file that imports CoreFoundation too must say which of both it means.

/// A string of Core Foundation: here Foundation's own, so that `"text" as CFString` compiles.
public typealias CFString = NSString
/// An error of Core Foundation: here Foundation's own.
public typealias CFError = NSError
/// A count or place.
public typealias CFIndex = Int
/// Identifies a class of Core Foundation.
public typealias CFTypeID = UInt
/// Seconds.
public typealias CFTimeInterval = Double
/// An error's number.
@discardableResult
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// An error's domain.
@discardableResult
public func CFErrorGetDomain(_ error: CFError) -> CFString { error.domain as NSString }

/// An error in words.
@discardableResult
public func CFErrorCopyDescription(_ error: CFError) -> CFString { error.localizedDescription as NSString }

/// Nanoseconds in a second, which Dispatch declares on Apple.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond, which Dispatch declares on Apple.
public let NSEC_PER_MSEC: UInt64 = 1_000_000

#endif
