// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written in the style of such clients.

import Foundation

#if canImport(SystemConfiguration)
import SystemConfiguration

/// A client in the style of libraries that set the queue first and post the first notification themselves.
class QueueFirstObserver: @unchecked Sendable {
    enum Status: Equatable, Sendable {
        case unknown, notReachable, reachable(isCellular: Bool)

        init(_ flags: SCNetworkReachabilityFlags) {
            guard flags.isUsable else {
                self = .notReachable
                return
            }
            self = .reachable(isCellular: flags.isCellular)
        }
    }

    typealias Listener = @Sendable (_ status: Status) -> Void

    private final class Link {
        weak var observer: QueueFirstObserver?
        init(observer: QueueFirstObserver) { self.observer = observer }
    }

    let reachabilityQueue = DispatchQueue(label: "queue-first")
    private let reachability: SCNetworkReachability
    private let lock = NSLock()
    private var listener: Listener?
    private var previous: Status?

    var flags: SCNetworkReachabilityFlags? {
        var flags = SCNetworkReachabilityFlags()
        return (SCNetworkReachabilityGetFlags(reachability, &flags)) ? flags : nil
    }

    convenience init?(host: String) {
        guard let reachability = SCNetworkReachabilityCreateWithName(nil, host) else { return nil }
        self.init(reachability: reachability)
    }

    convenience init?() {
        var zero = sockaddr()
        zero.sa_len = UInt8(MemoryLayout<sockaddr>.size)
        zero.sa_family = sa_family_t(AF_INET)
        guard let reachability = SCNetworkReachabilityCreateWithAddress(nil, &zero) else { return nil }
        self.init(reachability: reachability)
    }

    private init(reachability: SCNetworkReachability) { self.reachability = reachability }

    deinit { stopListening() }

    @discardableResult
    func startListening(onQueue queue: DispatchQueue = .main, onUpdate listener: @escaping Listener) -> Bool {
        stopListening()
        lock.withLock { self.listener = { status in queue.async { listener(status) } } }

        let link = Link(observer: self)
        var context = SCNetworkReachabilityContext(
            version: 0,
            info: Unmanaged.passUnretained(link).toOpaque(),
            retain: { info in
                let unmanaged = Unmanaged<Link>.fromOpaque(info)
                _ = unmanaged.retain()
                return UnsafeRawPointer(unmanaged.toOpaque())
            },
            release: { info in
                let unmanaged = Unmanaged<Link>.fromOpaque(info)
                unmanaged.release()
            },
            copyDescription: { info in
                let unmanaged = Unmanaged<Link>.fromOpaque(info)
                let text = unmanaged.takeUnretainedValue().observer?.flags.map { "\($0.rawValue)" } ?? "No flags!"
                return Unmanaged.passRetained(text as CFString)
            }
        )
        let callback: SCNetworkReachabilityCallBack = { _, flags, info in
            guard let info else { return }
            Unmanaged<Link>.fromOpaque(info).takeUnretainedValue().observer?.notify(flags)
        }
        let queueIsSet = SCNetworkReachabilitySetDispatchQueue(reachability, reachabilityQueue)
        let callbackIsSet = SCNetworkReachabilitySetCallback(reachability, callback, &context)
        if let current = flags {
            reachabilityQueue.async { self.notify(current) }
        }
        return callbackIsSet && queueIsSet
    }

    func stopListening() {
        SCNetworkReachabilitySetCallback(reachability, nil, nil)
        SCNetworkReachabilitySetDispatchQueue(reachability, nil)
        lock.withLock {
            listener = nil
            previous = nil
        }
    }

    func notify(_ flags: SCNetworkReachabilityFlags) {
        let status = Status(flags)
        let listener: Listener? = lock.withLock {
            guard previous != status else { return nil }
            previous = status
            return self.listener
        }
        listener?(status)
    }
}

extension SCNetworkReachabilityFlags {
    var isUsable: Bool {
        let connectsByItself = contains(.connectionOnDemand) || contains(.connectionOnTraffic)
        let connectsAlone = connectsByItself && !contains(.interventionRequired)
        return contains(.reachable) && (!contains(.connectionRequired) || connectsAlone)
    }

    /// Whether the cellular bit is set, which macOS does not have.
    var isCellular: Bool {
        #if os(macOS)
        false
        #else
        contains(.isWWAN)
        #endif
    }

    var text: String {
        [
            isCellular ? "W" : "-", contains(.reachable) ? "R" : "-", contains(.connectionRequired) ? "c" : "-",
            contains(.transientConnection) ? "t" : "-", contains(.interventionRequired) ? "i" : "-",
            contains(.connectionOnTraffic) ? "C" : "-", contains(.connectionOnDemand) ? "D" : "-",
            contains(.isLocalAddress) ? "l" : "-", contains(.isDirect) ? "d" : "-",
            contains(.connectionAutomatic) ? "a" : "-",
        ].joined()
    }
}
#endif
