//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

#if canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

/// Makes a target of a socket address.
///
/// The address must be IPv4 or IPv6, and as long as its family says; the port does not matter. The all-zero address stands for
/// anywhere. IPv4 addresses mapped into IPv6 count as IPv4.
///
/// - Returns: nil, with the status `kSCStatusInvalidArgument`, for any other family. Source: Apple's documentation of
///   `SCNetworkReachabilityCreateWithAddress(_:_:)`.
@discardableResult
public func SCNetworkReachabilityCreateWithAddress(
    _ allocator: CFAllocator?, _ address: UnsafePointer<sockaddr>
) -> SCNetworkReachability? {
    made(HostAddress(address).map { Destination($0) })
}

/// Makes a target of an address of this host and one to reach from it; one of them may be missing.
///
/// - Returns: nil, with the status `kSCStatusInvalidArgument`, when both are missing or one is neither IPv4 nor IPv6. Source:
///   Apple's documentation of `SCNetworkReachabilityCreateWithAddressPair(_:_:_:)`.
@discardableResult
public func SCNetworkReachabilityCreateWithAddressPair(
    _ allocator: CFAllocator?, _ localAddress: UnsafePointer<sockaddr>?, _ remoteAddress: UnsafePointer<sockaddr>?
) -> SCNetworkReachability? {
    let local = localAddress.flatMap { HostAddress($0) }
    let remote = remoteAddress.flatMap { HostAddress($0) }
    let isReadable = (localAddress == nil || local != nil) && (remoteAddress == nil || remote != nil)
    return made(isReadable ? Destination(local: local, remote: remote) : nil)
}

/// Makes a target of a name, or of an address in text: IPv4 as inet_aton(3) reads it, or IPv6.
///
/// Any name will do, and nobody is asked for it now: whether it exists shows when the target is scheduled.
///
/// - Returns: nil, with the status `kSCStatusInvalidArgument`, for the empty name. Source: Apple's documentation of
///   `SCNetworkReachabilityCreateWithName(_:_:)`.
@discardableResult
public func SCNetworkReachabilityCreateWithName(
    _ allocator: CFAllocator?, _ nodename: UnsafePointer<CChar>
) -> SCNetworkReachability? {
    made(Destination(HostName(nodename)))
}

/// Identifies the class of targets.
///
/// Source: Apple's documentation of `SCNetworkReachabilityGetTypeID()`.
@discardableResult
public func SCNetworkReachabilityGetTypeID() -> CFTypeID {
    CFTypeID(bitPattern: ObjectIdentifier(SCNetworkReachability.self))
}

private func made(_ destination: Destination?) -> SCNetworkReachability? {
    guard let destination else {
        _ = LastError.fail(kSCStatusInvalidArgument)
        return nil
    }
    return SCNetworkReachability(destination)
}

#endif
