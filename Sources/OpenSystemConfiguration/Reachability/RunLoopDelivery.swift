// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import CoreFoundation
import Foundation
import Synchronization

/// A run loop with one of its modes.
///
/// `@unchecked Sendable`: Core Foundation protects a run loop with its own lock, and the functions used here may be
/// called from any thread. The mode is a Swift string.
struct ScheduledRunLoop: Hashable, @unchecked Sendable {
    let loop: CFRunLoop
    let mode: String

    init(_ loop: CFRunLoop, _ mode: NSString) {
        self.loop = loop
        self.mode = mode as String
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.identity == rhs.identity && lhs.mode == rhs.mode }

    func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(mode)
    }

    private var identity: UnsafeMutableRawPointer { Unmanaged.passUnretained(loop).toOpaque() }
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
        var context = CFRunLoopSourceContext()
        context.info = Unmanaged.passUnretained(inbox).toOpaque()
        context.retain = { info in
            info.map { UnsafeRawPointer(Unmanaged<Inbox>.fromOpaque($0).retain().toOpaque()) }
        }
        context.release = { info in info.map { Unmanaged<Inbox>.fromOpaque($0).release() } }
        context.perform = { info in info.map { Unmanaged<Inbox>.fromOpaque($0).takeUnretainedValue().perform() } }
        source = CFRunLoopSourceCreate(nil, 0, &context)
    }

    func add(_ place: ScheduledRunLoop) {
        inbox.state.withLock { $0.places.append(place) }
        CFRunLoopAddSource(place.loop, source, RunLoopModeName.coreFoundation(place.mode as NSString))
        // An earlier request may be waiting for this loop.
        CFRunLoopWakeUp(place.loop)
    }

    func remove(_ place: ScheduledRunLoop) {
        inbox.state.withLock { $0.places.removeAll { $0 == place } }
        CFRunLoopRemoveSource(place.loop, source, RunLoopModeName.coreFoundation(place.mode as NSString))
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

#endif
