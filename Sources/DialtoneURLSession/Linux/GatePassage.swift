//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)
import Dialtone
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// One task's way through its gate.
///
/// It decides; the gate does, on the task's queue. Nobody but Foundation can run anything there, but resuming a task that
/// runs has Foundation start the gate once more: that is how a decision gets there.
final class GatePassage: Sendable {
    /// What the gate is to do when Foundation starts it.
    enum Step {
        /// Nothing yet.
        case wait
        /// Make a loader and start it.
        case load
        /// Start the loader that there is: the task was suspended.
        case resume
        /// End the task.
        case fail(URLError)
        /// Nothing any more.
        case rest
    }

    private struct State {
        var step = Step.wait
        var place: UInt64?
        var wait: Task<Void, Never>?
        var cancelTimeout: MonitorTime.Cancellation?
        var isTimedOut = false
        var hasTold = false
        /// The host needs no path, so that its failures are its own.
        var isPeerNear = false
        /// A response has come from the loader that loads at present.
        var hasResponse = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let room = WaitingRoom.ofSessions
    private let task: URLSessionTask
    private let session: URLSession?
    private let url: URL?
    private let waits: Bool
    private let requirement: WaitRequirement

    init(_ task: URLSessionTask, of session: URLSession?, _ request: URLRequest, _ settings: ConnectivitySettings) {
        self.task = task
        self.session = session
        url = request.url
        waits = settings.waits
        let allowsCellular = session?.configuration.allowsCellularAccess ?? true
        requirement = WaitRequirement(
            interfaces: InterfacePolicy(
                allowsCellular: allowsCellular && request.allowsCellularAccess,
                allowsExpensive: settings.allowsExpensive, allowsConstrained: settings.allowsConstrained))
    }

    /// Begins: from now on the time for the resource runs.
    func begin() {
        // Foundation's own limit is a week, and so is that of a session that cannot be found.
        let limit = session?.configuration.timeoutIntervalForResource ?? 604_800
        if limit > 0, limit < 1e9 {
            let cancel = room.time.call(at: room.time.now.elapsed + .seconds(limit)) { [weak self] in self?.timeOut() }
            state.withLock { $0.cancelTimeout = cancel }
        }
        enter()
    }

    /// What to do now, and from then on `next`.
    func take() -> Step {
        state.withLock { state in
            let step = state.step
            switch step {
            case .load:
                state.step = .resume
                state.hasResponse = false
            case .fail: state.step = .rest
            case .wait, .resume, .rest: break
            }
            return step
        }
    }

    /// Whether the task was cancelled because its time is over.
    var isTimedOut: Bool { state.withLock { $0.isTimedOut } }

    /// The task has ended, or is in other hands.
    func end() {
        let (place, wait, cancelTimeout) = state.withLock { state in
            defer {
                state.hasEnded = true
                state.step = .rest
                (state.place, state.wait, state.cancelTimeout) = (nil, nil, nil)
            }
            return (state.place, state.wait, state.cancelTimeout)
        }
        wait?.cancel()
        cancelTimeout?()
        if let place { room.leave(place) }
    }

    // MARK: Waiting

    private func enter() {
        let place = room.enter(requirement, deadline: nil)
        let wait = Task.detached { [self] in await pass(place) }
        let isOver = state.withLock { state in
            if !state.hasEnded { (state.place, state.wait) = (place, wait) }
            return state.hasEnded
        }
        if isOver {
            wait.cancel()
            room.leave(place)
        }
    }

    private func pass(_ place: UInt64) async {
        while true {
            switch await room.next(place) {
            case .admitted: return proceed(.load)
            case .waiting(let reason):
                if await isPeerNear {
                    state.withLock { $0.isPeerNear = true }
                    return proceed(.load)
                }
                guard waits else { return proceed(.fail(URLError(reason))) }
                tell()
            case .cancelled, .expired: return
            }
        }
    }

    /// Whether the host is this machine, or on one of its links, so that no path is needed.
    private var isPeerNear: Bool {
        get async {
            guard let target = url.flatMap({ try? HostTarget($0) }) else { return false }
            let route = await HostReachability(target).check().route.value
            return route.map { $0.isLocalAddress || $0.isDirect } ?? false
        }
    }

    private func tell() {
        let isFirst = state.withLock { state in
            defer { state.hasTold = true }
            return !state.hasTold && !state.hasEnded
        }
        guard isFirst, let session else { return }
        let candidates: [(any URLSessionDelegate)?] = [task.delegate, session.delegate]
        guard let delegate = candidates.lazy.compactMap({ $0 as? any URLSessionConnectivityDelegate }).first else {
            return
        }
        session.delegateQueue.addOperation { [task] in
            delegate.urlSession(session, taskIsWaitingForConnectivity: task)
        }
    }

    private func proceed(_ step: Step) {
        let mayProceed = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.step = step
            return true
        }
        // A suspended task takes the step when it is resumed.
        if mayProceed, task.state == .running { task.resume() }
    }

    private func timeOut() {
        let isLate = state.withLock { state in
            state.isTimedOut = !state.hasEnded
            return state.isTimedOut
        }
        guard isLate else { return }
        // Not on the thread of the clock: cancelling waits for the task's queue.
        DispatchQueue.global().async { [task] in task.cancel() }
    }

    // MARK: What the loader tells

    /// A response has come.
    func noteResponse() { state.withLock { $0.hasResponse = true } }

    /// Decides on a failure of the loader.
    ///
    /// - Returns: the error that the task ends with; nil when it goes on waiting.
    func judge(_ error: any Error) -> (any Error)? {
        let (hasResponse, isPeerNear, place) = state.withLock { ($0.hasResponse, $0.isPeerNear, $0.place) }
        let failure = RequestFailure(error)
        guard let obstacle = room.obstacle(to: requirement), !isPeerNear, !hasResponse, failure.kind.isOfConnectivity,
            !failure.mayHaveReachedServer
        else {
            end()
            return error
        }
        guard waits, task.state == .running else {
            end()
            return URLError(obstacle)
        }
        // The network went away before there was a connection: that is still establishing one.
        if let place { room.leave(place) }
        state.withLock { state in
            state.step = .wait
            state.place = nil
        }
        enter()
        return nil
    }
}
#endif
