//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// The flags of one host, or of the way to anywhere: asked for at once, or listened to.
///
/// ```swift
/// guard let listener = ReachabilityListener(host: "example.com") else { return }
/// print(listener.isReachable)
/// listener.start(queue: .main) { flags in print(flags.isReachable) }
/// ```
///
/// `@unchecked Sendable`: the target may be used on any thread, but Apple does not say so in its type; the rest is guarded
/// by the lock.
public final class ReachabilityListener: @unchecked Sendable {
    private let target: SCNetworkReachability
    private let client = Mutex<Client?>(nil)

    /// Listens to a host: a name, or an address as text; nil for the empty text.
    public convenience init?(host: String) {
        guard let target = SCNetworkReachabilityCreateWithName(nil, host) else { return nil }
        self.init(target)
    }

    /// Listens to the way to anywhere; nil when the system refuses.
    public convenience init?() {
        var anywhere = sockaddr_in()
        anywhere.sin_family = sa_family_t(AF_INET)
        #if canImport(Darwin)
        anywhere.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        let target = withUnsafePointer(to: &anywhere) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                SCNetworkReachabilityCreateWithAddress(nil, $0)
            }
        }
        guard let target else { return nil }
        self.init(target)
    }

    /// Listens to a target of one's own, which nobody else has scheduled.
    public init(_ target: SCNetworkReachability) { self.target = target }

    deinit { stop() }

    /// The flags at this moment; none when the system does not tell.
    ///
    /// No packet is sent. While listening they are the last ones that were told.
    public var flags: SCNetworkReachabilityFlags {
        var flags = SCNetworkReachabilityFlags()
        return SCNetworkReachabilityGetFlags(target, &flags) ? flags : []
    }

    /// Whether a connection can be had at this moment without anybody's help: see `SCNetworkReachabilityFlags.isReachable`.
    public var isReachable: Bool { flags.isReachable }

    /// Whether it has been started, and not stopped.
    public var isListening: Bool { client.withLock { $0 != nil } }

    /// Begins to listen: the present flags come first, then each different ones, one call at a time.
    ///
    /// - Parameters:
    ///   - queue: where to call; a concurrent one will do.
    ///   - handler: not called any more once `stop()` has returned on that queue, or the listener is gone.
    /// - Returns: false when it is listening already, which goes on unchanged, or when the system refuses.
    @discardableResult
    public func start(queue: DispatchQueue, handler: @escaping @Sendable (SCNetworkReachabilityFlags) -> Void) -> Bool {
        let newClient = Client(handler)
        let serial = DispatchQueue(label: "dialtone.flags", target: queue)
        let hasStarted = client.withLock { client in
            guard client == nil, schedule(newClient, on: serial) else { return false }
            client = newClient
            return true
        }
        guard hasStarted else { return false }
        // An address has no first callback of its own; a name that has is not told twice.
        serial.async { [weak self] in
            if let self { newClient.take(self.flags) }
        }
        return true
    }

    /// Stops listening; it may be started again.
    ///
    /// Does nothing when it is not listening.
    public func stop() {
        let old = client.withLock { client -> Client? in
            guard client != nil else { return nil }
            SCNetworkReachabilitySetCallback(target, nil, nil)
            SCNetworkReachabilitySetDispatchQueue(target, nil)
            defer { client = nil }
            return client
        }
        // Outside the lock, because what the handler holds may end with it.
        old?.silence()
    }

    private func schedule(_ client: Client, on queue: DispatchQueue) -> Bool {
        var context = SCNetworkReachabilityContext(
            version: 0, info: Unmanaged.passUnretained(client).toOpaque(),
            retain: { UnsafeRawPointer(Unmanaged<Client>.fromOpaque($0).retain().toOpaque()) },
            release: { Unmanaged<Client>.fromOpaque($0).release() }, copyDescription: nil)
        let callout: SCNetworkReachabilityCallBack = { _, flags, info in
            guard let info else { return }
            Unmanaged<Client>.fromOpaque(info).takeUnretainedValue().take(flags)
        }
        guard SCNetworkReachabilitySetCallback(target, callout, &context) else { return false }
        if SCNetworkReachabilitySetDispatchQueue(target, queue) { return true }
        SCNetworkReachabilitySetCallback(target, nil, nil)
        return false
    }

    /// Hands on what differs.
    private final class Client: Sendable {
        private let state:
            Mutex<(last: SCNetworkReachabilityFlags?, handler: (@Sendable (SCNetworkReachabilityFlags) -> Void)?)>

        init(_ handler: @escaping @Sendable (SCNetworkReachabilityFlags) -> Void) { state = Mutex((nil, handler)) }

        func take(_ flags: SCNetworkReachabilityFlags) {
            let handler = state.withLock { state -> (@Sendable (SCNetworkReachabilityFlags) -> Void)? in
                guard state.last != flags else { return nil }
                state.last = flags
                return state.handler
            }
            handler?(flags)
        }

        func silence() {
            let handler = state.withLock { state in
                defer { state.handler = nil }
                return state.handler
            }
            withExtendedLifetime(handler) {}
        }
    }
}
