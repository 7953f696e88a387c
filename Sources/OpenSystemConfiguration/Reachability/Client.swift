// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation

/// A callback with its context, whose `info` is retained for the lifetime of this object.
///
/// `@unchecked Sendable`: it never changes. Its closures represent C function pointers, and `info` the object that they
/// use; the framework's client must make these safe to use from any thread.
final class Client: @unchecked Sendable {
    fileprivate let callout: SCNetworkReachabilityCallBack?
    fileprivate let context: SCNetworkReachabilityContext
    fileprivate let info: UnsafeMutableRawPointer?

    init(_ callout: SCNetworkReachabilityCallBack?, _ context: SCNetworkReachabilityContext?) {
        self.callout = callout
        self.context = context ?? SCNetworkReachabilityContext()
        info = Self.retained(self.context.info, self.context)
    }

    deinit {
        if let info, let release = context.release { release(info) }
    }

    fileprivate static func retained(
        _ info: UnsafeMutableRawPointer?, _ context: SCNetworkReachabilityContext
    ) -> UnsafeMutableRawPointer? {
        guard let info, let retain = context.retain else { return info }
        return UnsafeMutableRawPointer(mutating: retain(info))
    }
}

extension Client {
    /// One call of the callback.
    ///
    /// It retains `info` itself and releases the client, so that the client can be replaced meanwhile, even by the
    /// callback. If the context cannot retain `info`, the call keeps the client instead.
    struct Call {
        private let callout: SCNetworkReachabilityCallBack
        private let info: UnsafeMutableRawPointer?
        private let release: ((UnsafeRawPointer) -> Void)?
        private let client: Client?

        init?(_ client: Client?) {
            guard let client, let callout = client.callout else { return nil }
            self.callout = callout
            let canRetain = client.context.retain != nil
            info = Client.retained(client.info, client.context)
            release = canRetain ? client.context.release : nil
            self.client = canRetain ? nil : client
        }

        func make(_ target: SCNetworkReachability, _ flags: SCNetworkReachabilityFlags) {
            withExtendedLifetime(client) { callout(target, flags, info) }
            if let info, let release { release(info) }
        }
    }
}

#endif
