// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written in the style of such clients.

import Foundation
import SystemConfiguration

/// A client in the style of libraries that pass the framework a small box with a weak reference.
final class WeaklyHeldObserver: @unchecked Sendable {
    enum Failure: Error {
        case cannotMakeTarget(Int32)
        case cannotSetCallback(Int32)
        case cannotSetQueue(Int32)
        case cannotReadFlags(Int32)
    }

    private final class Box {
        weak var observer: WeaklyHeldObserver?
        init(_ observer: WeaklyHeldObserver) { self.observer = observer }
    }

    let target: SCNetworkReachability
    let queue = DispatchQueue(label: "observer", qos: .default)
    private let lock = NSLock()
    private var seen: [SCNetworkReachabilityFlags] = []
    private let onFlags: (SCNetworkReachabilityFlags) -> Void
    private var isRunning = false

    init(target: SCNetworkReachability, onFlags: @escaping (SCNetworkReachabilityFlags) -> Void = { _ in }) {
        self.target = target
        self.onFlags = onFlags
    }

    convenience init(hostname: String, onFlags: @escaping (SCNetworkReachabilityFlags) -> Void = { _ in }) throws {
        guard let target = SCNetworkReachabilityCreateWithName(nil, hostname) else {
            throw Failure.cannotMakeTarget(SCError())
        }
        self.init(target: target, onFlags: onFlags)
    }

    /// Watches the default path: the zero address.
    convenience init(onFlags: @escaping (SCNetworkReachabilityFlags) -> Void = { _ in }) throws {
        var zero = sockaddr()
        zero.sa_len = UInt8(MemoryLayout<sockaddr>.size)
        zero.sa_family = sa_family_t(AF_INET)
        guard let target = SCNetworkReachabilityCreateWithAddress(nil, &zero) else {
            throw Failure.cannotMakeTarget(SCError())
        }
        self.init(target: target, onFlags: onFlags)
    }

    deinit { stop() }

    func start() throws {
        guard !isRunning else { return }
        let callback: SCNetworkReachabilityCallBack = { _, flags, info in
            guard let info = info else { return }
            Unmanaged<Box>.fromOpaque(info).takeUnretainedValue().observer?.record(flags)
        }
        let box = Box(self)
        let opaque = Unmanaged<Box>.passUnretained(box).toOpaque()
        var context = SCNetworkReachabilityContext(
            version: 0,
            info: UnsafeMutableRawPointer(opaque),
            retain: { (info: UnsafeRawPointer) -> UnsafeRawPointer in
                let unmanaged = Unmanaged<Box>.fromOpaque(info)
                _ = unmanaged.retain()
                return UnsafeRawPointer(unmanaged.toOpaque())
            },
            release: { (info: UnsafeRawPointer) -> Void in
                Unmanaged<Box>.fromOpaque(info).release()
            },
            copyDescription: { (info: UnsafeRawPointer) -> Unmanaged<CFString> in
                let box = Unmanaged<Box>.fromOpaque(info).takeUnretainedValue()
                let description = box.observer.map { "\($0.target)" } ?? "gone"
                return Unmanaged.passRetained(description as CFString)
            }
        )
        if !SCNetworkReachabilitySetCallback(target, callback, &context) {
            stop()
            throw Failure.cannotSetCallback(SCError())
        }
        if !SCNetworkReachabilitySetDispatchQueue(target, queue) {
            stop()
            throw Failure.cannotSetQueue(SCError())
        }
        isRunning = true
        try queue.sync {
            var flags = SCNetworkReachabilityFlags()
            if !SCNetworkReachabilityGetFlags(target, &flags) {
                throw Failure.cannotReadFlags(SCError())
            }
            record(flags)
        }
    }

    func stop() {
        defer { isRunning = false }
        SCNetworkReachabilitySetCallback(target, nil, nil)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    var flags: [SCNetworkReachabilityFlags] {
        lock.lock()
        defer { lock.unlock() }
        return seen
    }

    private func record(_ flags: SCNetworkReachabilityFlags) {
        lock.lock()
        seen.append(flags)
        lock.unlock()
        onFlags(flags)
    }
}
