// SPDX-License-Identifier: Apache-2.0

import Dialtone
import SystemSupport

/// Finds the broken hop once whenever a check fails, as `dialtone doctor` does; at rest it sends nothing.
final class DiagnosisWatch: Sendable {
    /// The failure that is explained: another verdict, or a later outage, needs another diagnosis.
    private struct Failure: Hashable {
        let since: Date
        let verdict: InternetCheck.Verdict
    }

    private struct State {
        var failure: Failure?
        var task: Task<Void, Never>?
        var report: NetworkDiagnostics.Report?
    }

    private let state = Mutex(State())
    private let diagnostics: NetworkDiagnostics?
    private let onChange: @Sendable () -> Void

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - diagnostics: queries the hops; nil to query none.
    ///   - onChange: called when a diagnosis is ready; must return quickly.
    init(_ diagnostics: NetworkDiagnostics?, onChange: @escaping @Sendable () -> Void) {
        self.diagnostics = diagnostics
        self.onChange = onChange
    }

    /// The diagnosis of the current failure; nil if there is none, or if it is not ready.
    var report: NetworkDiagnostics.Report? { state.withLock { $0.report } }

    /// Starts a diagnosis if the Internet has ceased to answer, or fails in another way.
    func connectivityChanged(to connectivity: Connectivity) {
        guard let diagnostics else { return }
        let evidence = connectivity.state == .limited ? connectivity.evidence : nil
        let failure = evidence.map { Failure(since: connectivity.since, verdict: $0.verdict) }
        let old = state.withLock { state -> Task<Void, Never>? in
            guard state.failure != failure else { return nil }
            let old = state.task
            state = State(failure: failure)
            if let evidence, let failure {
                state.task = Task { [weak self] in
                    let report = await diagnostics.run(explaining: evidence)
                    self?.receive(report, failure)
                }
            }
            return old
        }
        old?.cancel()
    }

    /// Stops the diagnosis in progress.
    func stop() { state.withLock { $0.task }?.cancel() }

    private func receive(_ report: NetworkDiagnostics.Report, _ failure: Failure) {
        let isCurrent = state.withLock { state in
            guard state.failure == failure, !Task.isCancelled else { return false }
            state.report = report
            return true
        }
        if isCurrent { onChange() }
    }
}
