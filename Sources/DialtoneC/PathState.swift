// SPDX-License-Identifier: Apache-2.0

import Dialtone
import LibC
import NetworkState
import Synchronization
import SystemSupport

/// What is known about the network at one moment: the value of a `dialtone_path_t`.
struct PathState: Hashable, Sendable {
    let path: NetworkPath
    let connectivity: ConnectivityState
    /// Why this machine is not online, in one sentence.
    let reason: String?
    /// The name of the reason; nil without one.
    let cause: ConnectivityCause?
    /// The URL of the login page.
    let portal: String?

    /// The path's status; where the system hides the network, an Internet that answers shows that there is a path.
    var status: PathStatus { path.isUnknown && connectivity == .online ? .satisfied : path.status }

    /// The state that follows from a path alone.
    init(_ path: NetworkPath) {
        self.path = path.withoutHiddenProperties
        connectivity = ConnectivityState(path)
        // "Not checked yet" is no reason where nothing will be checked.
        let conclusion = connectivity == .unverified ? nil : Conclusion(path)
        reason = conclusion?.reason
        cause = conclusion?.cause
        portal = nil
    }

    /// The state that a check of the Internet has shown.
    init(_ connectivity: Connectivity) {
        path = connectivity.path.withoutHiddenProperties
        self.connectivity = connectivity.state
        reason = connectivity.reason
        cause = connectivity.cause
        portal = connectivity.evidence?.verdict.portal.map { $0.absoluteString }
    }
}

extension NetworkPath {
    /// The path without what C does not show, so that a change of that is not reported.
    fileprivate var withoutHiddenProperties: NetworkPath {
        var path = self
        path.linkQuality = .unknown
        path.isUltraConstrained = false
        for place in path.interfaces.indices { path.interfaces[place].networkName = nil }
        return path
    }
}

extension PathState {
    /// Subscribes to the paths that a filter allows, of the calling thread's network namespace.
    ///
    /// - Parameter receive: called on the thread that reads the kernel; it must return quickly.
    static func subscribe(
        _ filter: PathFilter, _ receive: @escaping @Sendable (PathState) -> Void
    ) -> UpdateSubscription {
        KernelSource.shared().subscribe { receive(PathState($0.state.path(filter).path)) }
    }

    /// Subscribes to the states that checks of the Internet show; see `subscribe(_:_:)`.
    static func subscribeVerified(_ receive: @escaping @Sendable (PathState) -> Void) -> UpdateSubscription {
        let observation = ConnectivityObservation(of: Verification.monitor) { call in
            call.perform { receive(PathState($0)) }
        }
        return UpdateSubscription { observation.cancel() }
    }
}

/// The monitor that verifies the Internet for the whole process; it rests while nothing observes it.
enum Verification {
    private struct State {
        var check = InternetCheck()
        var monitor: ConnectivityMonitor?
    }

    private static let state = Mutex(State())

    static var monitor: ConnectivityMonitor {
        state.withLock { state in
            if let monitor = state.monitor { return monitor }
            // The default configuration is valid.
            let monitor = (try? ConnectivityMonitor(.init(), checker: state.check)) ?? ConnectivityMonitor()
            state.monitor = monitor
            return monitor
        }
    }

    /// Replaces the endpoints, before the first use of `monitor`.
    static func setEndpoints(_ endpoints: [String]) throws(SystemError) {
        let check: InternetCheck
        do throws(InvalidConfiguration) {
            var configuration = InternetCheck.Configuration()
            configuration.endpoints = []
            for text in endpoints { configuration.endpoints.append(try InternetCheck.Endpoint(parsing: text)) }
            check = try InternetCheck(configuration)
        } catch {
            throw SystemError(EINVAL)
        }
        let isInUse = state.withLock { state in
            if state.monitor == nil { state.check = check }
            return state.monitor != nil
        }
        if isInUse { throw SystemError(EBUSY) }
    }
}
