// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

import NetworkModel

public import Foundation

/// Creates a target from a socket address.
///
/// The address must be IPv4 or IPv6, with the length of its family; the port is ignored. The all-zero address means the
/// default route. IPv4 addresses mapped into IPv6 count as IPv4.
///
/// - Returns: the target; nil, with the status `kSCStatusInvalidArgument`, for any other family. Source: Apple's
///   documentation of `SCNetworkReachabilityCreateWithAddress(_:_:)`.
@discardableResult
public func SCNetworkReachabilityCreateWithAddress(
    _ allocator: CFAllocator?, _ address: UnsafePointer<sockaddr>
) -> SCNetworkReachability? {
    unsafe made(NetworkAddress(target: address).map { Destination($0) })
}

/// Creates a target from a local address and a remote one to reach from it; either may be missing.
///
/// - Returns: the target; nil, with the status `kSCStatusInvalidArgument`, if both are missing or one is neither IPv4
///   nor IPv6. Source: Apple's documentation of `SCNetworkReachabilityCreateWithAddressPair(_:_:_:)`.
@discardableResult
public func SCNetworkReachabilityCreateWithAddressPair(
    _ allocator: CFAllocator?, _ localAddress: UnsafePointer<sockaddr>?, _ remoteAddress: UnsafePointer<sockaddr>?
) -> SCNetworkReachability? {
    let local = unsafe localAddress.flatMap { unsafe NetworkAddress(target: $0) }
    let remote = unsafe remoteAddress.flatMap { unsafe NetworkAddress(target: $0) }
    let isReadable = unsafe (localAddress == nil || local != nil) && (remoteAddress == nil || remote != nil)
    return made(isReadable ? Destination(local: local, remote: remote) : nil)
}

/// Creates a target from a host name, or from a numeric address: IPv4 in the format of inet_aton(3), or IPv6.
///
/// Any name is accepted, and it is not resolved now: whether it exists shows when the target is scheduled.
///
/// - Returns: the target; nil, with the status `kSCStatusInvalidArgument`, for an empty name. Source: Apple's
///   documentation of `SCNetworkReachabilityCreateWithName(_:_:)`.
@discardableResult
public func SCNetworkReachabilityCreateWithName(
    _ allocator: CFAllocator?, _ nodename: UnsafePointer<CChar>
) -> SCNetworkReachability? {
    unsafe made(Destination(RawHostName(nodename)))
}

/// Returns the type identifier of targets.
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
