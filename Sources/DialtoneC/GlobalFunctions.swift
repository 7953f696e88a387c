// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation
// The functions are documented in `Library/dialtone.h`.

import Dialtone
import Dispatch
import LibC
import NetworkState
import Synchronization
import SystemSupport

@_cdecl("dialtone_path_copy_current")
public func dialtone_path_copy_current() -> UnsafeMutableRawPointer? {
    unsafe UserProcess.pointer { () throws(SystemError) in
        unsafe PathObject.retained(PathState(withSignalsBlocked { NetworkPath.read() }))
    }
}

@_cdecl("dialtone_path_copy_verified")
public func dialtone_path_copy_verified(_ timeout: Int32) -> UnsafeMutableRawPointer? {
    unsafe UserProcess.pointer { () throws(SystemError) in
        try HandlerQueue.rejectWaiting()
        let result = VerifiedState()
        let check = withSignalsBlocked {
            Task {
                let state = PathState(await Verification.monitor.verify())
                result.state.withLock { $0 = state }
                result.arrival.signal()
            }
        }
        if result.arrival.wait(timeout: deadline(timeout)) == .timedOut { check.cancel() }
        guard let state = result.state.withLock({ $0 }) else { throw SystemError(ETIMEDOUT) }
        return unsafe PathObject.retained(state)
    }
}

private final class VerifiedState: Sendable {
    let state = Mutex<PathState?>(nil)
    let arrival = DispatchSemaphore(value: 0)
}

@_cdecl("dialtone_wait_for_path")
public func dialtone_wait_for_path(_ timeout: Int32) -> Int32 {
    wait(timeout, until: { $0.status == .satisfied }) { receive in
        // The path is known at once, also if the time limit is 0.
        let current = NetworkPath.read()
        if current.isUnknown { return PathState.subscribeVerified(receive) }
        receive(PathState(current))
        return PathState.subscribe(PathFilter(), receive)
    }
}

@_cdecl("dialtone_wait_for_internet")
public func dialtone_wait_for_internet(_ timeout: Int32) -> Int32 {
    wait(timeout, until: { $0.connectivity == .online }) { PathState.subscribeVerified($0) }
}

/// Waits for a state, for a number of milliseconds; for ever, if that is negative.
private func wait(
    _ timeout: Int32, until isReached: @escaping @Sendable (PathState) -> Bool,
    _ subscribe: (@escaping @Sendable (PathState) -> Void) -> UpdateSubscription
) -> Int32 {
    UserProcess.status { () throws(SystemError) in
        try HandlerQueue.rejectWaiting()
        let arrival = DispatchSemaphore(value: 0)
        // Not while it waits: a signal must be able to end the program.
        let subscription = withSignalsBlocked { subscribe { if isReached($0) { arrival.signal() } } }
        defer { subscription.cancel() }
        if arrival.wait(timeout: deadline(timeout)) == .timedOut { throw SystemError(ETIMEDOUT) }
    }
}

private func deadline(_ milliseconds: Int32) -> DispatchTime {
    // clock: the caller's thread blocks on a semaphore.
    milliseconds < 0 ? .distantFuture : .now() + .milliseconds(Int(milliseconds))
}

@_cdecl("dialtone_set_endpoints")
public func dialtone_set_endpoints(_ endpoints: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) -> Int32 {
    UserProcess.status { () throws(SystemError) in
        guard let endpoints = unsafe endpoints, count > 0 else { throw SystemError(EINVAL) }
        var texts: [String] = []
        for index in 0..<count {
            guard let text = unsafe endpoints[index] else { throw SystemError(EINVAL) }
            texts.append(unsafe String(cString: text))
        }
        try Verification.setEndpoints(texts)
    }
}

@_cdecl("dialtone_set_interface_cost")
public func dialtone_set_interface_cost(
    _ interface: UnsafePointer<CChar>?, _ isExpensive: Bool, _ isConstrained: Bool
) -> Int32 {
    UserProcess.status { () throws(SystemError) in
        guard let interface = unsafe interface else { throw SystemError(EINVAL) }
        let name = unsafe String(cString: interface)
        guard !name.isEmpty, name.utf8.count < Int(IF_NAMESIZE) else { throw SystemError(EINVAL) }
        CostPolicy.changeOfProcess {
            $0[.interface(name)] = LinkCosts(isExpensive: isExpensive, isConstrained: isConstrained)
        }
    }
}
