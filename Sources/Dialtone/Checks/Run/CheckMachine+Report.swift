// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

extension CheckMachine {
    /// The report of a check that ended after a time.
    func report(checkedAt: Date, after duration: Duration) -> InternetCheck.Report {
        var report = InternetCheck.Report(
            verdict: verdict(at: duration), checkedAt: checkedAt, duration: duration,
            endpoints: reducer.evidence.enumerated().map { $1 ?? abandoned($0, after: duration) },
            captivePortalAPI: captivePortalAPI, hops: hopCollection.result(at: duration))
        report.familyAnswers = hopCollection.familyAnswers
        report.secondPage = hopCollection.secondPage
        if report.verdict == .verified, isSecureSilent(report.endpoints) {
            report.answers = .partial
            report.hasQuorum = true
        }
        return report
    }

    /// The reducer's verdict; a check that was cancelled before there was one is inconclusive.
    private func verdict(at time: Duration) -> InternetCheck.Verdict {
        if case .verdict(let verdict) = reducer.decision(at: time) { return verdict }
        return isCancelled ? .inconclusive : reducer.finalVerdict
    }

    /// Whether HTTPS fails for most operators if those that are silent have failed.
    private func isSecureSilent(_ endpoints: [InternetCheck.Evidence]) -> Bool {
        var complete = reducer
        for (index, evidence) in endpoints.enumerated() {
            guard let error = evidence.error, error.code == .timedOut, error.step != .resolve else { continue }
            complete.record(evidence, of: index, at: now)
        }
        return complete.finalVerdict == .partial
    }

    /// The evidence of an endpoint that had not answered when the verdict was certain.
    private func abandoned(_ index: Int, after time: Duration) -> InternetCheck.Evidence {
        let start = plan.deferredEndpoints.contains(index) ? deferredStart ?? time : .zero
        if !isCancelled, time - start >= Self.silence, var evidence = unfinished[index], let error = evidence.error {
            evidence.outcome = .failed(ProbeError(.timedOut, during: error.step, error.message))
            return evidence
        }
        let endpoint = plan.endpoints[index]
        return InternetCheck.Evidence(
            url: endpoint.url, operatorName: endpoint.subject.operatorName,
            .failed(ProbeError(isCancelled ? .cancelled : .abandoned, during: .judge)), durations: .init(total: time))
    }
}
