// SPDX-License-Identifier: Apache-2.0

/// An event that a connectivity machine handles.
enum MachineInput: Sendable {
    /// The monitor starts to watch: the first value is due within the bound.
    case started
    /// The current path, and the network that it leads into if that is known.
    case path(NetworkPath, NetworkIdentity?)
    /// The routes to the checker's `nearbyHosts`, which permit checks without a path.
    case nearbyRoutes([NetworkAddress: HostRoute])
    /// A check has finished; the identity is that of the network right after it.
    indirect case checkFinished(generation: UInt64, InternetCheck.Report, NetworkIdentity?)
    /// The outcome of one of the app's own requests.
    case reported(ConnectivityMonitor.ReportedOutcome)
    /// A hop has answered a heartbeat, or has not.
    case observed(HopObservation)
    /// A minute of the heartbeat is over.
    case minute(HopMinute)
    /// The time set by `setTimer` has come; firing too early is harmless.
    case timerFired
    /// The clocks may have jumped. Every input compares the clocks; this one does nothing else.
    case clocksLookedAt
    /// The app requests a check.
    case checkRequested
    /// The system reports that the machine has slept, or that the wall clock was set.
    case clockJumped
    /// Checks are suspended until `resumed`.
    case suspended
    /// Checks are allowed again.
    case resumed
}

/// An action that the owner of a connectivity machine must perform, in the given order.
enum MachineAction: Hashable, Sendable {
    /// Cancel the running check, because its result is no longer needed.
    case cancelCheck
    /// Start a check over this path. It queries all operators, or the named one first.
    case startCheck(generation: UInt64, NetworkPath, startingWith: String?)
    /// Deliver `timerFired` at this time only; nil cancels the timer.
    case setTimer(Duration?)
    /// Follow this situation with the heartbeat; nil pauses it.
    case beat(HeartbeatSituation?)
    /// Deliver this value to the observers.
    indirect case publish(Connectivity)
}
