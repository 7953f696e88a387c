//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import FoundationEssentials

extension InternetCheck {
    /// Asks, and judges what comes back.
    ///
    /// It ends as soon as the verdict is certain, and after `timeouts.total` at the latest. When its task is cancelled it
    /// ends at once, by what is known by then.
    public func run() async -> Report { await run(on: nil) }

    /// Asks as `run()` does; of captive portals only what was announced on a link counts, when its index is given.
    func run(on link: Int?) async -> Report {
        let checkedAt = Date.now
        let start = ContinuousClock.now
        let api = captivePortalAPI(on: link)
        var judge = Judge(
            isSecure: targets.map(\.isSecure), quorum: configuration.quorum,
            decisionWindow: configuration.decisionWindow, fallback: targets.first { !$0.isSecure }?.url ?? api?.page,
            captivePortal: api == nil ? .silent : .pending)
        var evidence: [Evidence?] = targets.map { _ in nil }
        var heard: Report.CaptivePortalEvidence?

        await withTaskGroup(of: Event.self) { group in
            let deadline = start + configuration.timeouts.total
            for index in targets.indices {
                group.addTask { .evidence(index, await ask(index, until: deadline)) }
            }
            if let api { group.addTask { .captivePortal(await api.ask(until: deadline)) } }
            var alarm: Duration?
            while true {
                switch judge.decision(at: start.duration(to: .now)) {
                case .verdict: return group.cancelAll()
                case .wait(let time) where time != alarm:
                    alarm = time
                    group.addTask {
                        try? await Task.sleep(until: start + time)
                        return .alarm
                    }
                case .wait, .pending: break
                }
                guard !Task.isCancelled, let event = await group.next() else { return group.cancelAll() }
                switch event {
                case .alarm: break
                case .evidence(let index, let new):
                    evidence[index] = new
                    // What was cut off proves nothing, not even that HTTPS could not be asked.
                    if Task.isCancelled, new.error?.code == .cancelled { continue }
                    judge.record(new.finding, of: index, at: start.duration(to: .now))
                case .captivePortal(let new):
                    heard = new
                    judge.captivePortal = new.finding
                }
            }
        }
        return Report(
            verdict: verdict(judge, at: start.duration(to: .now)), checkedAt: checkedAt,
            duration: start.duration(to: .now),
            endpoints: evidence.enumerated().map { $1 ?? abandoned($0, after: start.duration(to: .now)) },
            captivePortalAPI: heard)
    }

    private enum Event: Sendable {
        case evidence(Int, Evidence)
        case captivePortal(Report.CaptivePortalEvidence)
        case alarm
    }

    /// The judge's verdict; a check that was cancelled before there was one has none.
    private func verdict(_ judge: Judge, at time: Duration) -> Verdict {
        if case .verdict(let verdict) = judge.decision(at: time) { return verdict }
        return Task.isCancelled ? .inconclusive : judge.finalVerdict
    }

    private func abandoned(_ index: Int, after time: Duration) -> Evidence {
        Evidence(
            url: configuration.endpoints[index].url, passed: false, durations: .init(total: time),
            error: ProbeError(Task.isCancelled ? .cancelled : .abandoned, during: .judge))
    }

    /// Asks one endpoint.
    private func ask(_ index: Int, until deadline: ContinuousClock.Instant) async -> Evidence {
        let endpoint = configuration.endpoints[index]
        let target = targets[index]
        let nonce = Nonce.make()
        // The prober ends a little before the check does, so that what it knows by then is heard.
        let request = request(
            endpoint, target, nonce, deadline - min(configuration.timeouts.total / 20, .milliseconds(50)))
        let examination = Examination(
            target: target, expectation: endpoint.expectation, isPublic: endpoint.isPublic ?? target.isPublicName,
            nonce: nonce)
        let prober = prober
        let start = ContinuousClock.now
        let unheard = { (code: ProbeError.Code) in
            Evidence(
                url: endpoint.url, passed: false, durations: .init(total: deadline - start),
                error: ProbeError(code, during: .judge, "no answer by the end of the check"))
        }
        return await firstAnswer(until: deadline, late: unheard(.timedOut), cancelled: unheard(.cancelled)) {
            let result = await prober.probe(request)
            return await Background.run { examination.evidence(url: endpoint.url, result) }
        }
    }

    private func request(
        _ endpoint: Endpoint, _ target: ProbeTarget, _ nonce: String, _ deadline: ContinuousClock.Instant
    ) -> ProbeRequest {
        var fields = ["Accept": "*/*", "Accept-Encoding": "identity", "Connection": "close"]
        fields["User-Agent"] = Self.userAgent
        if endpoint.expectation.usesNonce { fields[Nonce.field] = nonce }
        if configuration.bustsCaches {
            fields["Cache-Control"] = "no-cache, no-store"
            fields["Pragma"] = "no-cache"
        }
        // The program's own fields replace Dialtone's, whatever their case.
        for own in [configuration.headers, endpoint.headers] {
            for (name, value) in own {
                fields = fields.filter { $0.key.lowercased() != name.lowercased() }
                fields[name] = value
            }
        }
        let expectation = endpoint.expectation
        return ProbeRequest(
            target, path: target.target(adding: configuration.bustsCaches ? "dialtone=\(Nonce.make())" : nil),
            fields: fields.sorted { $0.key < $1.key }.map { HTTPResponse.Field(name: $0.key, value: $0.value) },
            configuration: configuration, deadline: deadline
        ) { response in
            let isRedirect = (300..<400).contains(response.status)
            return isRedirect || expectation.ignoresBody && expectation.isMet(by: response, nonce: nonce)
        }
    }
}

extension InternetCheck.Evidence {
    /// What it means for the verdict.
    var finding: Judge.Finding {
        if passed { return .passed }
        if let portal { return .portal(portal) }
        guard let error, !error.isInability else { return .unable }
        return .failed(error)
    }
}
