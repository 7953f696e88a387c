// SPDX-License-Identifier: Apache-2.0

public import Dialtone
import SystemSupport

/// Tests whether an implementation of `InternetChecking` meets the protocol's requirements.
///
/// ```swift
/// let checks = InternetCheckingConformance(check, over: SimulatedPath.wifi.path, expecting: .online)
/// print(await checks.violations())
/// ```
public struct InternetCheckingConformance: Sendable {
    private let checker: any InternetChecking
    private let path: NetworkPath
    private let state: ConnectivityState
    private let limit: Duration

    /// Creates a conformance test.
    ///
    /// - Parameters:
    ///   - checker: the implementation to test.
    ///   - path: the path to check over.
    ///   - state: the expected state of the reports.
    ///   - limit: the maximum duration of a check.
    public init(
        _ checker: any InternetChecking, over path: NetworkPath, expecting state: ConnectivityState,
        limit: Duration = .seconds(30)
    ) {
        self.checker = checker
        self.path = path
        self.state = state
        self.limit = limit
    }

    /// Runs the test and describes each violated requirement; empty when all are met.
    public func violations() async -> [String] {
        var violations: [String] = []
        for _ in 0..<2 { violations += await stateAndTime() }
        violations += await cancellation()
        violations += await concurrency()
        return violations.uniqued
    }

    private func stateAndTime() async -> [String] {
        let before = TimeSource.system.moment.realtime
        guard let report = await check() else { return ["A check takes longer than \(limit)."] }
        var violations: [String] = []
        if report.state != state { violations.append("The state is \(report.state) and not \(state).") }
        // The clocks are compared to the millisecond.
        let times =
            before.addingTimeInterval(-0.001)...max(TimeSource.system.moment.realtime, before).addingTimeInterval(0.001)
        if !times.contains(report.checkedAt) { violations.append("The report's time is not that of the check.") }
        return violations
    }

    /// A cancelled check ends, with any result.
    private func cancellation() async -> [String] {
        let check = Task { await checker.check(over: path) }
        check.cancel()
        let found = await report { await check.value }
        return found == nil ? ["A cancelled check takes longer than \(limit)."] : []
    }

    private func concurrency() async -> [String] {
        await withTaskGroup(of: InternetCheck.Report?.self) { group in
            for _ in 0..<4 { group.addTask { await check() } }
            var violations: [String] = []
            for await report in group {
                if let report {
                    if report.state != state { violations.append("Concurrent checks interfere with each other.") }
                } else {
                    violations.append("A check takes longer than \(limit).")
                }
            }
            return violations
        }
    }

    /// The result of a check; nil when it takes too long.
    private func check() async -> InternetCheck.Report? {
        await report { await checker.check(over: path) }
    }

    /// The result of a check; nil when it takes too long, so that a check that never ends does not block the test.
    private func report(
        of check: @escaping @Sendable () async -> InternetCheck.Report
    ) async -> InternetCheck.Report? {
        await firstAnswer(until: TimeSource.system.now + limit, late: nil, cancelled: nil, check)
    }
}
