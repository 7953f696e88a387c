// SPDX-License-Identifier: Apache-2.0

import Foundation
import Netlink
import Testing

@testable import OpenSystemConfiguration

/// A socket address in the form that C programs use.
struct SocketAddress {
    private var storage = sockaddr_storage()

    init(_ text: String, port: UInt16 = 0, scope: UInt32 = 0) throws {
        let address = try #require(NetworkAddress(text))
        withUnsafeMutableBytes(of: &storage) { storage in
            if address.family == .ipv4 {
                var ipv4 = sockaddr_in()
                ipv4.sin_family = sa_family_t(AF_INET)
                ipv4.sin_port = port.bigEndian
                withUnsafeMutableBytes(of: &ipv4.sin_addr) { $0.copyBytes(from: address.bytes) }
                storage.storeBytes(of: ipv4, as: sockaddr_in.self)
            } else {
                var ipv6 = sockaddr_in6()
                ipv6.sin6_family = sa_family_t(AF_INET6)
                ipv6.sin6_port = port.bigEndian
                ipv6.sin6_scope_id = scope
                withUnsafeMutableBytes(of: &ipv6.sin6_addr) { $0.copyBytes(from: address.bytes) }
                storage.storeBytes(of: ipv6, as: sockaddr_in6.self)
            }
        }
    }

    /// The target of this address.
    var target: SCNetworkReachability? {
        withPointer { SCNetworkReachabilityCreateWithAddress(nil, $0) }
    }

    /// The target of a pair.
    static func pair(_ local: SocketAddress?, _ remote: SocketAddress?) -> SCNetworkReachability? {
        local.withPointer { local in
            remote.withPointer { SCNetworkReachabilityCreateWithAddressPair(nil, local, $0) }
        }
    }

    fileprivate func withPointer<Value>(_ body: (UnsafePointer<sockaddr>) -> Value) -> Value {
        withUnsafePointer(to: storage) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }
}

extension SocketAddress? {
    fileprivate func withPointer<Value>(_ body: (UnsafePointer<sockaddr>?) -> Value) -> Value {
        guard let self else { return body(nil) }
        return self.withPointer { body($0) }
    }
}

/// A target's flags, through the framework's function.
func flags(_ target: SCNetworkReachability) -> SCNetworkReachabilityFlags {
    var flags: SCNetworkReachabilityFlags = [.interventionRequired, .connectionOnDemand]
    #expect(SCNetworkReachabilityGetFlags(target, &flags))
    return flags
}
