// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import Foundation

/// The callback for changes of a target's reachability, with the target, its flags, and the context's `info`.
///
/// On Apple platforms it is a C function pointer. Swift on Linux does not support one with a class argument, so here it
/// is a Swift closure. It should not capture anything either, and it may be called on any thread, so it is `@Sendable`
/// as a C function pointer is.
public typealias SCNetworkReachabilityCallBack =
    @Sendable (
        _ target: SCNetworkReachability, _ flags: SCNetworkReachabilityFlags, _ info: UnsafeMutableRawPointer?
    ) -> Void

/// A pointer that is passed to the callback, with the functions that retain and release it.
///
/// Source: Apple's documentation of `SCNetworkReachabilityContext`.
@unsafe public struct SCNetworkReachabilityContext {
    /// The version of the structure, which is 0.
    public var version: CFIndex
    /// The pointer that is passed to the callback.
    public var info: UnsafeMutableRawPointer?
    /// Retains what `info` points to, and returns the pointer to use.
    public var retain: ((UnsafeRawPointer) -> UnsafeRawPointer)?
    /// Releases what `info` points to.
    public var release: ((UnsafeRawPointer) -> Void)?
    /// Describes what `info` points to; it is never called.
    public var copyDescription: ((UnsafeRawPointer) -> Unmanaged<CFString>)?

    /// Creates an empty context.
    public init() { unsafe version = 0 }

    /// Creates a context from its parts.
    public init(
        version: CFIndex, info: UnsafeMutableRawPointer?, retain: ((UnsafeRawPointer) -> UnsafeRawPointer)?,
        release: ((UnsafeRawPointer) -> Void)?, copyDescription: ((UnsafeRawPointer) -> Unmanaged<CFString>)?
    ) {
        unsafe self.version = version
        unsafe self.info = unsafe info
        unsafe self.retain = unsafe retain
        unsafe self.release = unsafe release
        unsafe self.copyDescription = unsafe copyDescription
    }
}

#endif
