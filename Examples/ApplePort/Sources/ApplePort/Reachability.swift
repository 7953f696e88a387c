// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemConfiguration

/// A host's reachability by the C API, in the form that such classes have had for years.
///
/// `@unchecked Sendable`: `whenChanged` is set before `start(queue:)` and not after; the target may be used on any thread.
final class Reachability: @unchecked Sendable {
    enum Failure: Error {
        case cannotSchedule(code: Int32)
    }

    var whenChanged: (@Sendable (SCNetworkReachabilityFlags) -> Void)?

    private let target: SCNetworkReachability

    init?(hostname: String) {
        guard let target = SCNetworkReachabilityCreateWithName(nil, hostname) else { return nil }
        self.target = target
    }

    /// The route to any address: the zero address.
    init?() {
        var zero = sockaddr()
        zero.sa_len = UInt8(MemoryLayout<sockaddr>.size)
        zero.sa_family = sa_family_t(AF_INET)
        guard let target = SCNetworkReachabilityCreateWithAddress(nil, &zero) else { return nil }
        self.target = target
    }

    deinit { stop() }

    var flags: SCNetworkReachabilityFlags? {
        var flags = SCNetworkReachabilityFlags()
        return SCNetworkReachabilityGetFlags(target, &flags) ? flags : nil
    }

    var isReachable: Bool {
        guard let flags else { return false }
        return flags.contains(.reachable) && !flags.contains(.connectionRequired)
    }

    func start(queue: DispatchQueue) throws {
        let callback: SCNetworkReachabilityCallBack = { _, flags, info in
            guard let info else { return }
            Unmanaged<Weak>.fromOpaque(info).takeUnretainedValue().reachability?.whenChanged?(flags)
        }
        let weakSelf = Weak(self)
        defer { withExtendedLifetime(weakSelf) {} }
        var context = SCNetworkReachabilityContext(
            version: 0,
            info: Unmanaged.passUnretained(weakSelf).toOpaque(),
            retain: { info in UnsafeRawPointer(Unmanaged<Weak>.fromOpaque(info).retain().toOpaque()) },
            release: { info in Unmanaged<Weak>.fromOpaque(info).release() },
            copyDescription: { _ in Unmanaged.passRetained("Reachability" as CFString) })
        guard SCNetworkReachabilitySetCallback(target, callback, &context),
            SCNetworkReachabilitySetDispatchQueue(target, queue)
        else {
            throw Failure.cannotSchedule(code: SCError())
        }
        queue.async { [weak self] in
            guard let self, let flags = self.flags else { return }
            self.whenChanged?(flags)
        }
    }

    func stop() {
        SCNetworkReachabilitySetCallback(target, nil, nil)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    private final class Weak {
        weak var reachability: Reachability?

        init(_ reachability: Reachability) { self.reachability = reachability }
    }
}
