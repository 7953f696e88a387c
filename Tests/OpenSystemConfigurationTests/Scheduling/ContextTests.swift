// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Netlink
import NetworkState
import TestSupport
import Testing

@testable import OpenSystemConfiguration

/// The object of a context, which reports what happens to it.
private final class Info: Sendable {
    let log = Recorder<String>()

    /// A context that retains and releases, and records both.
    func context(retains: Bool = true, releases: Bool = true) -> SCNetworkReachabilityContext {
        SCNetworkReachabilityContext(
            version: 0, info: Unmanaged.passUnretained(self).toOpaque(),
            retain: retains
                ? { info in
                    Unmanaged<Info>.fromOpaque(info).takeUnretainedValue().log.record("retain")
                    return UnsafeRawPointer(Unmanaged<Info>.fromOpaque(info).retain().toOpaque())
                } : nil,
            release: releases
                ? { info in
                    let object = Unmanaged<Info>.fromOpaque(info)
                    object.takeUnretainedValue().log.record("release")
                    object.release()
                } : nil,
            copyDescription: { _ in
                Issue.record("never called")
                return Unmanaged.passRetained("" as CFString)
            })
    }
}

struct `The context of a callback` {
    private let network = ScriptedNetwork()

    @Test func `a context is retained when set, and released when replaced, removed, and when the target is released`()
    {
        let (first, second) = (Info(), Info())
        do {
            let target = network.target("198.51.100.1")
            var context = first.context()
            #expect(SCNetworkReachabilitySetCallback(target, { _, _, _ in }, &context))
            #expect(first.log.values == ["retain"])
            context = second.context()
            #expect(SCNetworkReachabilitySetCallback(target, { _, _, _ in }, &context))
            #expect(first.log.values == ["retain", "release"])
            #expect(second.log.values == ["retain"])
            #expect(SCNetworkReachabilitySetCallback(target, nil, nil))
            #expect(second.log.values == ["retain", "release"])
            // The same without a callback.
            #expect(SCNetworkReachabilitySetCallback(target, nil, &context))
            #expect(second.log.values == ["retain", "release", "retain"])
        }
        #expect(second.log.values == ["retain", "release", "retain", "release"])
        #expect(first.log.values == ["retain", "release"])
    }

    @Test func `a context without a retain function is still released`() {
        let info = Info()
        do {
            let target = network.target("198.51.100.1")
            var context = info.context(retains: false)
            // The later release balances this.
            _ = Unmanaged.passRetained(info)
            SCNetworkReachabilitySetCallback(target, { _, _, _ in }, &context)
            #expect(info.log.values.isEmpty)
        }
        #expect(info.log.values == ["release"])
    }

    @Test func `an empty context passes no info`() async throws {
        let target = network.target("198.51.100.1")
        let calls = Recorder<Bool>()
        SCNetworkReachabilitySetCallback(target, { _, _, info in calls.record(info == nil) }, nil)
        SCNetworkReachabilitySetDispatchQueue(target, DispatchQueue(label: "test"))
        network.route(NetworkAddress(198, 51, 100, 1), Fixture.answer("198.51.100.1", .rejected))
        #expect(try await calls.next())
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `a change of the flags while a context is replaced goes to the new callback`() async throws {
        /// Changes the flags when it is released, and waits for the resulting callouts.
        final class Farewell: Sendable {
            let change: @Sendable () -> Void
            init(_ change: @escaping @Sendable () -> Void) { self.change = change }
        }
        let target = network.target("198.51.100.1")
        let queue = DispatchQueue(label: "test")
        let farewell = Farewell { [network] in
            network.route(NetworkAddress(198, 51, 100, 1), Fixture.answer("198.51.100.1", .rejected))
            // Two barriers: everything submitted by the first has run.
            queue.sync {}
        }
        var context = SCNetworkReachabilityContext(
            version: 0, info: Unmanaged.passUnretained(farewell).toOpaque(), retain: nil,
            release: { Unmanaged<Farewell>.fromOpaque($0).takeUnretainedValue().change() }, copyDescription: nil)
        let (before, after) = (Recorder<SCNetworkReachabilityFlags>(), Recorder<SCNetworkReachabilityFlags>())
        SCNetworkReachabilitySetCallback(target, { _, flags, _ in before.record(flags) }, &context)
        SCNetworkReachabilitySetDispatchQueue(target, queue)
        SCNetworkReachabilitySetCallback(target, { _, flags, _ in after.record(flags) }, nil)
        #expect(try await after.next().isEmpty)
        #expect(before.values.isEmpty)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
        queue.sync {}
        #expect(after.values.count == 1)
    }

    @Test func `a context is retained around each call, and survives its removal during one`() async throws {
        weak var remembered: Info?
        let calls = Recorder<[String]>()
        let target = network.target("198.51.100.1")
        let queue = DispatchQueue(label: "test")
        do {
            let info = Info()
            remembered = info
            var context = info.context()
            SCNetworkReachabilitySetCallback(
                target,
                { target, _, info in
                    guard let info else { return }
                    let object = Unmanaged<Info>.fromOpaque(info)
                    SCNetworkReachabilitySetCallback(target, nil, nil)
                    calls.record(object.takeUnretainedValue().log.values)
                }, &context)
        }
        #expect(remembered != nil)
        SCNetworkReachabilitySetDispatchQueue(target, queue)
        network.route(NetworkAddress(198, 51, 100, 1), Fixture.answer("198.51.100.1", .rejected))
        // The call retains the info a second time; removing the callback then releases the first retain.
        #expect(try await calls.next() == ["retain", "retain", "release"])
        queue.sync {}
        #expect(remembered == nil)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func `the retain function may return another pointer`() async throws {
        let target = network.target("198.51.100.1")
        let calls = Recorder<Int>()
        var context = SCNetworkReachabilityContext()
        context.info = UnsafeMutableRawPointer(bitPattern: 0x10)
        context.retain = { UnsafeRawPointer(bitPattern: UInt(bitPattern: $0) + 0x10) ?? $0 }
        SCNetworkReachabilitySetCallback(target, { _, _, info in calls.record(Int(bitPattern: info)) }, &context)
        SCNetworkReachabilitySetDispatchQueue(target, DispatchQueue(label: "test"))
        network.route(NetworkAddress(198, 51, 100, 1), Fixture.answer("198.51.100.1", .rejected))
        // Once when set, and once for the call.
        #expect(try await calls.next() == 0x30)
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }
}
