// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation
// The functions are documented in `Library/dialtone.h`.

import Dialtone
import SystemSupport

/// The object behind a `dialtone_path_t`.
///
/// It takes no lock, so that a forked child can read and release it.
final class PathObject: Sendable {
    /// The object behind a `dialtone_interface_t`.
    final class Interface: Sendable {
        let value: NetworkPath.Interface
        let name: CText

        init(_ value: NetworkPath.Interface) {
            self.value = value
            name = CText(value.name)
        }
    }

    let state: PathState
    let reason: CText?
    let cause: CText?
    let portal: CText?
    let interfaces: [Interface]
    let gateways: [CText]

    init(_ state: PathState) {
        self.state = state
        reason = state.reason.map(CText.init)
        cause = (state.cause?.rawValue).map(CText.init)
        portal = state.portal.map(CText.init)
        interfaces = state.path.interfaces.map(Interface.init)
        gateways = state.path.gateways.map { CText($0.description) }
    }

    /// Returns a reference that belongs to the caller.
    static func retained(_ state: PathState) -> UnsafeMutableRawPointer {
        unsafe Unmanaged.passRetained(PathObject(state)).toOpaque()
    }
}

/// Returns the object behind a pointer.
func object<Object: AnyObject>(_ pointer: UnsafeRawPointer?, _: Object.Type = Object.self) -> Object? {
    unsafe pointer.map { unsafe Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}

private func path(_ pointer: UnsafeRawPointer?) -> NetworkPath? { unsafe object(pointer, PathObject.self)?.state.path }

@_cdecl("dialtone_path_get_status")
public func dialtone_path_get_status(_ pointer: UnsafeRawPointer?) -> UInt32 {
    switch unsafe object(pointer, PathObject.self)?.state.status {
    case nil: 0
    case .satisfied: 1
    case .unsatisfied: 2
    case .requiresConnection: 3
    }
}

@_cdecl("dialtone_path_get_connectivity")
public func dialtone_path_get_connectivity(_ pointer: UnsafeRawPointer?) -> UInt32 {
    switch unsafe object(pointer, PathObject.self)?.state.connectivity {
    case .unknown, nil: 0
    case .offline: 1
    case .requiresConnection: 2
    case .unverified: 3
    case .captivePortal: 4
    case .limited: 5
    case .online: 6
    case .noInternet: 7
    }
}

@_cdecl("dialtone_path_get_reason")
public func dialtone_path_get_reason(_ pointer: UnsafeRawPointer?) -> UnsafePointer<CChar>? {
    unsafe object(pointer, PathObject.self)?.reason?.pointer
}

@_cdecl("dialtone_path_get_cause")
public func dialtone_path_get_cause(_ pointer: UnsafeRawPointer?) -> UnsafePointer<CChar>? {
    unsafe object(pointer, PathObject.self)?.cause?.pointer
}

@_cdecl("dialtone_path_get_portal_url")
public func dialtone_path_get_portal_url(_ pointer: UnsafeRawPointer?) -> UnsafePointer<CChar>? {
    unsafe object(pointer, PathObject.self)?.portal?.pointer
}

@_cdecl("dialtone_path_get_unsatisfied_reason")
public func dialtone_path_get_unsatisfied_reason(_ pointer: UnsafeRawPointer?) -> UInt32 {
    switch unsafe path(pointer)?.unsatisfiedReason {
    case .cellularDenied: 1
    case .wifiDenied: 2
    // Linux knows no other reason.
    default: 0
    }
}

@_cdecl("dialtone_path_is_expensive")
public func dialtone_path_is_expensive(_ pointer: UnsafeRawPointer?) -> Bool {
    unsafe path(pointer)?.isExpensive ?? false
}

@_cdecl("dialtone_path_is_constrained")
public func dialtone_path_is_constrained(_ pointer: UnsafeRawPointer?) -> Bool {
    unsafe path(pointer)?.isConstrained ?? false
}

@_cdecl("dialtone_path_has_ipv4")
public func dialtone_path_has_ipv4(_ pointer: UnsafeRawPointer?) -> Bool {
    unsafe path(pointer)?.supportsIPv4 ?? false
}

@_cdecl("dialtone_path_has_ipv6")
public func dialtone_path_has_ipv6(_ pointer: UnsafeRawPointer?) -> Bool {
    unsafe path(pointer)?.supportsIPv6 ?? false
}

@_cdecl("dialtone_path_has_dns")
public func dialtone_path_has_dns(_ pointer: UnsafeRawPointer?) -> Bool {
    unsafe path(pointer)?.supportsDNS ?? false
}

@_cdecl("dialtone_path_uses_interface_type")
public func dialtone_path_uses_interface_type(_ pointer: UnsafeRawPointer?, _ type: UInt32) -> Bool {
    guard let path = unsafe path(pointer), let type = InterfaceType(cValue: type) else { return false }
    return path.usesInterfaceType(type)
}

@_cdecl("dialtone_path_is_equal")
public func dialtone_path_is_equal(_ pointer: UnsafeRawPointer?, _ other: UnsafeRawPointer?) -> Bool {
    unsafe object(pointer, PathObject.self)?.state == object(other, PathObject.self)?.state
}

@_cdecl("dialtone_path_get_interface")
public func dialtone_path_get_interface(_ pointer: UnsafeRawPointer?, _ index: Int) -> UnsafeRawPointer? {
    guard let path = unsafe object(pointer, PathObject.self), path.interfaces.indices.contains(index) else {
        return nil
    }
    return unsafe UnsafeRawPointer(Unmanaged.passUnretained(path.interfaces[index]).toOpaque())
}

@_cdecl("dialtone_interface_get_name")
public func dialtone_interface_get_name(_ pointer: UnsafeRawPointer?) -> UnsafePointer<CChar>? {
    unsafe object(pointer, PathObject.Interface.self)?.name.pointer
}

@_cdecl("dialtone_interface_get_type")
public func dialtone_interface_get_type(_ pointer: UnsafeRawPointer?) -> UInt32 {
    unsafe object(pointer, PathObject.Interface.self)?.value.type.cValue ?? 0
}

@_cdecl("dialtone_interface_get_index")
public func dialtone_interface_get_index(_ pointer: UnsafeRawPointer?) -> UInt32 {
    unsafe object(pointer, PathObject.Interface.self).flatMap { UInt32(exactly: $0.value.index) } ?? 0
}

@_cdecl("dialtone_path_get_gateway")
public func dialtone_path_get_gateway(_ pointer: UnsafeRawPointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let path = unsafe object(pointer, PathObject.self), path.gateways.indices.contains(index) else { return nil }
    return unsafe path.gateways[index].pointer
}

@_cdecl("dialtone_path_retain")
public func dialtone_path_retain(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe pointer.map { unsafe Unmanaged<PathObject>.fromOpaque($0).retain().toOpaque() }
}

@_cdecl("dialtone_path_release")
public func dialtone_path_release(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer = unsafe pointer { unsafe Unmanaged<PathObject>.fromOpaque(pointer).release() }
}
