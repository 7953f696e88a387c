// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: NeverForceUnwrap, AllPublicDeclarationsHaveDocumentation
// Written in the style of such clients.

import Foundation
import SystemConfiguration

/// The classic synchronous check, with a `sockaddr_in` built in one expression.
func isConnectedToNetwork() -> Bool {
    var zeroAddress = sockaddr_in(
        sin_len: 0, sin_family: 0, sin_port: 0, sin_addr: in_addr(s_addr: 0), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
    zeroAddress.sin_len = UInt8(MemoryLayout.size(ofValue: zeroAddress))
    zeroAddress.sin_family = sa_family_t(AF_INET)
    let target = withUnsafePointer(to: &zeroAddress) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { zeroSockAddress in
            SCNetworkReachabilityCreateWithAddress(nil, zeroSockAddress)
        }
    }
    guard let defaultRouteReachability = target else { return false }
    var flags = SCNetworkReachabilityFlags()
    if !SCNetworkReachabilityGetFlags(defaultRouteReachability, &flags) { return false }
    let isReachable = (flags.rawValue & UInt32(kSCNetworkFlagsReachable)) != 0
    let needsConnection = (flags.rawValue & UInt32(kSCNetworkFlagsConnectionRequired)) != 0
    return isReachable && !needsConnection
}

/// The address that old sample code used for "the local Wi-Fi".
func localWiFiTarget() -> SCNetworkReachability? {
    var address = sockaddr_in()
    address.sin_len = UInt8(MemoryLayout.size(ofValue: address))
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0xA9FE_0000).bigEndian
    return withUnsafePointer(to: &address) {
        SCNetworkReachabilityCreateWithAddress(
            kCFAllocatorDefault, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self))
    }
}

/// Run-loop scheduling with an unretained context, in the variants that are in use.
final class RunLoopObserver {
    let target: SCNetworkReachability
    private(set) var count = 0

    init?(name: String) {
        guard let target = SCNetworkReachabilityCreateWithName(kCFAllocatorDefault, name) else { return nil }
        self.target = target
    }

    func start() -> Bool {
        var context = SCNetworkReachabilityContext(
            version: 0, info: nil, retain: nil, release: nil, copyDescription: nil)
        context.info = Unmanaged.passUnretained(self).toOpaque()
        guard
            SCNetworkReachabilitySetCallback(
                target,
                { (_, _, info) in
                    guard let info = info else { return }
                    Unmanaged<RunLoopObserver>.fromOpaque(info).takeUnretainedValue().count += 1
                }, &context)
        else { return false }
        return SCNetworkReachabilityScheduleWithRunLoop(
            target, CFRunLoopGetCurrent(), CFRunLoopMode.defaultMode.rawValue)
    }

    func stop() -> Bool {
        SCNetworkReachabilityUnscheduleFromRunLoop(
            target, CFRunLoopGetCurrent(), RunLoop.Mode.default.rawValue as CFString)
    }

    func restartOtherwise() -> Bool {
        SCNetworkReachabilityScheduleWithRunLoop(
            target, RunLoop.current.getCFRunLoop(), RunLoop.Mode.default as CFString)
            && SCNetworkReachabilityUnscheduleFromRunLoop(
                target, CFRunLoopGetCurrent(), CFRunLoopMode.defaultMode.rawValue)
    }
}

/// The last error, as clients print it.
func lastFailure() -> String {
    let status = SCError()
    let error = SCCopyLastError()
    return "\(status) \(String(cString: SCErrorString(status))) \(CFErrorGetCode(error)) \(CFErrorGetDomain(error))"
}

/// The address of an interface, with the length field of Apple's structure.
func numericHost(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = getnameinfo(
        address, socklen_t(address.pointee.sa_len), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    return status == 0 ? String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
}

/// Targets as dictionary keys, and a duration in nanoseconds.
func remember(_ targets: [SCNetworkReachability]) -> [SCNetworkReachability: UInt64] {
    var deadlines: [SCNetworkReachability: UInt64] = [:]
    for target in targets { deadlines[target] = 2 * NSEC_PER_SEC }
    return deadlines
}

/// A callback as a constant, which Swift 6 allows only for a sendable type.
enum Callbacks {
    static let ignoring: SCNetworkReachabilityCallBack = { _, _, _ in }
}
