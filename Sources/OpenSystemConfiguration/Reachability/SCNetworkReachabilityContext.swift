//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

public import Foundation

/// What is called when a target's reachability changes: with the target, its flags, and the context's `info`.
///
/// On Apple it is a C function pointer. Swift on Linux cannot make one that takes a class, so it is a Swift closure here; it
/// should capture nothing either, and may be called on any thread.
public typealias SCNetworkReachabilityCallBack = (
    _ target: SCNetworkReachability, _ flags: SCNetworkReachabilityFlags, _ info: UnsafeMutableRawPointer?
) -> Void

/// A pointer for the callback, and how to keep what it points to.
///
/// Source: Apple's documentation of `SCNetworkReachabilityContext`.
public struct SCNetworkReachabilityContext {
    /// The structure's version: 0.
    public var version: CFIndex
    /// What the callback gets.
    public var info: UnsafeMutableRawPointer?
    /// Keeps what `info` points to, and gives the pointer to use.
    public var retain: ((UnsafeRawPointer) -> UnsafeRawPointer)?
    /// Lets go of it.
    public var release: ((UnsafeRawPointer) -> Void)?
    /// Describes it; never called.
    public var copyDescription: ((UnsafeRawPointer) -> Unmanaged<CFString>)?

    /// Makes an empty context.
    public init() { version = 0 }

    /// Makes a context.
    public init(
        version: CFIndex, info: UnsafeMutableRawPointer?, retain: ((UnsafeRawPointer) -> UnsafeRawPointer)?,
        release: ((UnsafeRawPointer) -> Void)?, copyDescription: ((UnsafeRawPointer) -> Unmanaged<CFString>)?
    ) {
        self.version = version
        self.info = info
        self.retain = retain
        self.release = release
        self.copyDescription = copyDescription
    }
}

#endif
