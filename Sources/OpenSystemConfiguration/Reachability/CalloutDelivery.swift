// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import CoreFoundation
import Dispatch
import Foundation
import Synchronization

/// Runs callouts on the queue or run loop that the client has chosen.
protocol CalloutDelivery: AnyObject, Sendable {
    /// Schedules a callout; several requests before it begins may be merged into one.
    func request(_ callout: @escaping @Sendable () -> Void)
    /// Prevents any further callout from beginning.
    func end()
}

/// Runs callouts on a dispatch queue, one at a time even if the queue is concurrent.
final class QueueDelivery: CalloutDelivery {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = DispatchQueue(label: "dialtone.reachability", target: queue)
    }

    func request(_ callout: @escaping @Sendable () -> Void) { queue.async(execute: callout) }

    func end() {}
}

/// Calls a closure once after a delay, unless the timer is released before.
///
/// `@unchecked Sendable`: Dispatch allows its sources to be used from any thread, and this object never changes.
final class OneShotTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    private static let queue = DispatchQueue(label: "dialtone.reachability.timer")

    init(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: Self.queue)
        // A delay of 10 % more does no harm, and lets the system serve several timers at once.
        source.schedule(deadline: .now() + seconds, leeway: .milliseconds(Int(seconds * 100)))
        source.setEventHandler(handler: body)
        source.activate()
    }

    deinit { source.cancel() }
}

/// A run loop with one of its modes.
///
/// `@unchecked Sendable`: Core Foundation protects a run loop with its own lock, and the functions used here may be
/// called from any thread. The mode is a Swift string.
struct ScheduledRunLoop: Equatable, @unchecked Sendable {
    let loop: CFRunLoop
    let mode: String

    init(_ loop: CFRunLoop, _ mode: NSString) {
        self.loop = loop
        self.mode = mode as String
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.loop === rhs.loop && lhs.mode == rhs.mode }
}

/// Runs callouts in run loops, by signaling a run loop source.
///
/// `@unchecked Sendable`: Core Foundation locks the source itself; the rest is constant or behind `state`.
final class RunLoopDelivery: CalloutDelivery, @unchecked Sendable {
    private struct State {
        var places: [ScheduledRunLoop] = []
        var callout: (@Sendable () -> Void)?
    }

    /// The object that the source calls; the source keeps it alive.
    private final class Inbox: Sendable {
        let state = Mutex(State())

        func perform() {
            let callout = state.withLock { state in
                defer { state.callout = nil }
                return state.callout
            }
            callout?()
        }
    }

    private let inbox = Inbox()
    private let source: CFRunLoopSource?

    init() {
        var context = unsafe CFRunLoopSourceContext()
        unsafe context.info = unsafe Unmanaged.passUnretained(inbox).toOpaque()
        unsafe context.retain = { info in
            unsafe info.map { unsafe UnsafeRawPointer(Unmanaged<Inbox>.fromOpaque($0).retain().toOpaque()) }
        }
        unsafe context.release = { info in unsafe info.map { unsafe Unmanaged<Inbox>.fromOpaque($0).release() } }
        unsafe context.perform = { info in
            unsafe info.map { unsafe Unmanaged<Inbox>.fromOpaque($0).takeUnretainedValue().perform() }
        }
        source = unsafe CFRunLoopSourceCreate(nil, 0, &context)
    }

    func add(_ place: ScheduledRunLoop) {
        inbox.state.withLock { $0.places.append(place) }
        CFRunLoopAddSource(place.loop, source, RunLoopModeName.coreFoundation(place.mode))
        // An earlier request may be waiting for this loop.
        CFRunLoopWakeUp(place.loop)
    }

    func remove(_ place: ScheduledRunLoop) {
        inbox.state.withLock { $0.places.removeAll { $0 == place } }
        CFRunLoopRemoveSource(place.loop, source, RunLoopModeName.coreFoundation(place.mode))
    }

    func request(_ callout: @escaping @Sendable () -> Void) {
        let places = inbox.state.withLock { state in
            state.callout = callout
            return state.places
        }
        CFRunLoopSourceSignal(source)
        for place in places { CFRunLoopWakeUp(place.loop) }
    }

    func end() {
        inbox.state.withLock { state in
            state.places = []
            state.callout = nil
        }
        CFRunLoopSourceInvalidate(source)
    }
}

/// A callback with its context, whose `info` is retained for the lifetime of this object.
///
/// `@unchecked Sendable`: it never changes. Its closures represent C function pointers, and `info` the object that they
/// use; the framework's client must make these safe to use from any thread.
@safe final class Client: @unchecked Sendable {
    fileprivate let callout: SCNetworkReachabilityCallBack?
    fileprivate let context: SCNetworkReachabilityContext
    fileprivate let info: UnsafeMutableRawPointer?

    init(_ callout: SCNetworkReachabilityCallBack?, _ context: SCNetworkReachabilityContext?) {
        unsafe self.callout = unsafe callout
        unsafe self.context = unsafe context ?? SCNetworkReachabilityContext()
        unsafe info = unsafe Self.retained(self.context.info, self.context)
    }

    deinit {
        if let info = unsafe info, let release = unsafe context.release { unsafe release(info) }
    }

    fileprivate static func retained(
        _ info: UnsafeMutableRawPointer?, _ context: SCNetworkReachabilityContext
    ) -> UnsafeMutableRawPointer? {
        guard let info = unsafe info, let retain = unsafe context.retain else { return unsafe info }
        return unsafe UnsafeMutableRawPointer(mutating: retain(info))
    }
}

extension Client {
    /// One call of the callback.
    ///
    /// It retains `info` itself and releases the client, so that the client can be replaced meanwhile, even by the
    /// callback. If the context cannot retain `info`, the call keeps the client instead.
    @safe struct Call {
        private let callout: SCNetworkReachabilityCallBack
        private let info: UnsafeMutableRawPointer?
        private let release: ((UnsafeRawPointer) -> Void)?
        private let client: Client?

        init?(_ client: Client?) {
            guard let client, let callout = unsafe client.callout else { return nil }
            unsafe self.callout = unsafe callout
            let canRetain = unsafe client.context.retain != nil
            unsafe info = unsafe Client.retained(client.info, client.context)
            unsafe release = unsafe canRetain ? client.context.release : nil
            self.client = canRetain ? nil : client
        }

        func make(_ target: SCNetworkReachability, _ flags: SCNetworkReachabilityFlags) {
            withExtendedLifetime(client) { unsafe callout(target, flags, info) }
            if let info = unsafe info, let release = unsafe release { unsafe release(info) }
        }
    }
}

#endif
