// SPDX-License-Identifier: Apache-2.0

#if !os(watchOS)

import SystemSupport

/// Reads the flags of one host or of the default route, and listens to their changes.
///
/// ```swift
/// guard let listener = ReachabilityListener(host: "example.com") else { return }
/// print(listener.isReachable)
/// listener.start(queue: .main) { flags in print(flags.isReachable) }
/// ```
///
/// `@unchecked Sendable`: the target may be used on any thread, but Apple's type does not declare that; the lock
/// protects the rest.
public final class ReachabilityListener: @unchecked Sendable {
    private let target: SCNetworkReachability
    private let client = Mutex<Client?>(nil)

    /// Listens to a host, given as a name or a numeric address; nil for an empty text.
    public convenience init?(host: String) {
        guard let target = unsafe SCNetworkReachabilityCreateWithName(nil, host) else { return nil }
        self.init(target)
    }

    /// Listens to the default route; nil if the system refuses.
    public convenience init?() { self.init(address: IPv4Address.any) }

    /// Listens to an address; nil if the system refuses.
    public convenience init?(address: any IPAddress) {
        let target = unsafe withSocketAddress(address) { unsafe SCNetworkReachabilityCreateWithAddress(nil, $0) }
        guard let target else { return nil }
        self.init(target)
    }

    /// Listens to the route from a local address to a remote one; nil if the system refuses.
    public convenience init?(localAddress: any IPAddress, remoteAddress: any IPAddress) {
        let target = unsafe withSocketAddress(localAddress) { local in
            unsafe withSocketAddress(remoteAddress) { remote in
                unsafe SCNetworkReachabilityCreateWithAddressPair(nil, local, remote)
            }
        }
        guard let target else { return nil }
        self.init(target)
    }

    /// Listens to a given target, which no other code may have scheduled.
    public init(_ target: SCNetworkReachability) { self.target = target }

    deinit { stop() }

    /// The current flags; empty if the system does not report any.
    ///
    /// No packet is sent. While listening, these are the last flags received.
    public var flags: SCNetworkReachabilityFlags {
        var flags = SCNetworkReachabilityFlags()
        return unsafe SCNetworkReachabilityGetFlags(target, &flags) ? flags : []
    }

    /// Whether a connection is possible now without user action; see `SCNetworkReachabilityFlags.isReachable`.
    public var isReachable: Bool { flags.isReachable }

    /// Whether the listener is started.
    public var isListening: Bool { client.withLock { $0 != nil } }

    /// Starts listening: the handler receives the current flags first, then each different ones, one call at a time.
    ///
    /// - Parameters:
    ///   - queue: the queue to call the handler on; it may be concurrent.
    ///   - handler: not called any more once `stop()` has returned on that queue, or the listener has been released.
    /// - Returns: false if it is already listening, which has no effect, or if the system refuses.
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
        // The system makes no first callback for an address. For a name it does; the client drops the repetition.
        serial.async { [weak self] in
            if let self { newClient.receive(self.flags) }
        }
        return true
    }

    /// Stops listening; it can be started again.
    ///
    /// It has no effect if the listener is not started.
    public func stop() {
        let old = client.withLock { client -> Client? in
            guard client != nil else { return nil }
            SCNetworkReachabilitySetCallback(target, nil, nil)
            SCNetworkReachabilitySetDispatchQueue(target, nil)
            defer { client = nil }
            return client
        }
        // Outside the lock, because releasing the handler may release other objects.
        old?.silence()
    }

    private func schedule(_ client: Client, on queue: DispatchQueue) -> Bool {
        var context = unsafe SCNetworkReachabilityContext(
            version: 0, info: Unmanaged.passUnretained(client).toOpaque(),
            retain: { unsafe UnsafeRawPointer(Unmanaged<Client>.fromOpaque($0).retain().toOpaque()) },
            release: { unsafe Unmanaged<Client>.fromOpaque($0).release() }, copyDescription: nil)
        let callout: SCNetworkReachabilityCallBack = { _, flags, info in
            guard let info = unsafe info else { return }
            unsafe Unmanaged<Client>.fromOpaque(info).takeUnretainedValue().receive(flags)
        }
        guard unsafe SCNetworkReachabilitySetCallback(target, callout, &context) else { return false }
        if SCNetworkReachabilitySetDispatchQueue(target, queue) { return true }
        SCNetworkReachabilitySetCallback(target, nil, nil)
        return false
    }

    /// Passes on only flags that differ from the last ones.
    private final class Client: Sendable {
        /// Each access to a mutex of a tuple would wrap the closure in it again.
        private struct State {
            var last: SCNetworkReachabilityFlags?
            var handler: (@Sendable (SCNetworkReachabilityFlags) -> Void)?
        }

        private let state: Mutex<State>

        init(_ handler: @escaping @Sendable (SCNetworkReachabilityFlags) -> Void) {
            state = Mutex(State(handler: handler))
        }

        func receive(_ flags: SCNetworkReachabilityFlags) {
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

extension SCNetworkReachabilityFlags {
    /// Whether a connection is possible without user action.
    ///
    /// The classic rule: the target is reachable, and either needs no connection to be made first, or traffic
    /// establishes that connection and no user action is required.
    public var isReachable: Bool {
        contains(.reachable) && (!contains(.connectionRequired) || (isDynamic && !contains(.interventionRequired)))
    }

    /// Whether traffic establishes the connection automatically.
    public var isDynamic: Bool { contains(.connectionOnDemand) || contains(.connectionOnTraffic) }

    /// Whether the route is over a mobile network; always false on a Mac, where this is not reported.
    public var isCellular: Bool { contains(.cellular) }

    /// The bit of `isWWAN`, which has that name on every platform except macOS.
    package static let cellular = SCNetworkReachabilityFlags(rawValue: 1 << 18)
}

/// Calls a closure with the socket address of an IP address, port 0; nil if the address has neither 4 nor 16 bytes.
func withSocketAddress<Value>(_ address: any IPAddress, _ body: (UnsafePointer<sockaddr>) -> Value?) -> Value? {
    NetworkAddress(address).flatMap { address in
        unsafe Sockets.withAddress(address, 0) { address, _ in unsafe body(address) }
    }
}

#endif
