// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

extension InternetCheck {
    /// Queries the endpoints and returns the verdict with its evidence.
    ///
    /// Returns as soon as the verdict is certain, and after `timeouts.total` at the latest. If the task is cancelled, it
    /// returns at once with the evidence so far.
    ///
    /// Without a route to anything that would be contacted it returns at once, without sending anything: the report's
    /// `diagnosis` then gives the reason.
    public func run() async -> Report { await run(on: nil, over: nil) }

    /// Runs the check; with a link's index, only the captive portal API announced on that link is queried.
    ///
    /// - Parameter path: the path, if it is already known.
    package func run(on link: Int?, over path: NetworkPath?) async -> Report {
        let checkedAt = Date.now
        let start = ContinuousClock.now
        switch await outlook(over: path) {
        case .open: break
        case .blocked(let error):
            return Self.report(without: error, endpoints: configuration.endpoints, since: start, at: checkedAt)
        case .isolated(let diagnosis):
            var report = await isolated.run(since: start, at: checkedAt, on: link)
            if case .noInternet = report.verdict { report.diagnosis = diagnosis }
            return report
        }
        return await run(since: start, at: checkedAt, on: link)
    }

    private func run(since start: ContinuousClock.Instant, at checkedAt: Date, on link: Int?) async -> Report {
        var reducer = VerdictReducer(
            targets.indices.map { subject($0) }, quorum: configuration.quorum,
            decisionWindow: configuration.decisionWindow, requiresTLS: configuration.requiresTLS,
            fallback: targets.first { !$0.isSecure }?.url,
            captivePortalAPI: configuration.captivePortalAPI == .off ? .silent : .pending)
        var apiEvidence: Report.CaptivePortalEvidence?

        await withTaskGroup(of: Event.self) { group in
            let deadline = start + configuration.timeouts.total
            for index in targets.indices {
                group.addTask { .evidence(index, await query(index, until: deadline)) }
            }
            if configuration.captivePortalAPI != .off {
                group.addTask { .captivePortal(await captivePortalEvidence(on: link, until: deadline)) }
            }
            var alarm: Duration?
            while true {
                switch reducer.decision(at: start.duration(to: .now)) {
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
                    // A probe that was cut off proves nothing, not even that HTTPS could not be queried.
                    if Task.isCancelled, new.error?.code == .cancelled { continue }
                    reducer.record(new, of: index, at: start.duration(to: .now))
                case .captivePortal(let new):
                    apiEvidence = new
                    // Without a plain endpoint and a login page, a browser is directed to the API's own URL.
                    reducer.fallback = reducer.fallback ?? new.flatMap { PortalURL.usable($0.url) }
                    reducer.record(new?.finding ?? .silent, at: start.duration(to: .now))
                }
            }
        }
        return Report(
            verdict: verdict(reducer, at: start.duration(to: .now)), checkedAt: checkedAt,
            duration: start.duration(to: .now),
            endpoints: reducer.evidence.enumerated().map { $1 ?? abandoned($0, after: start.duration(to: .now)) },
            captivePortalAPI: apiEvidence)
    }

    private func subject(_ index: Int) -> VerdictReducer.Subject {
        .init(isSecure: targets[index].isSecure, operatorName: operators[index], isPublic: isPublic(index))
    }

    private func isPublic(_ index: Int) -> Bool {
        configuration.endpoints[index].isPublic ?? targets[index].isPublicName
    }

    private enum Event: Sendable {
        case evidence(Int, Evidence)
        case captivePortal(Report.CaptivePortalEvidence?)
        case alarm
    }

    /// The reducer's verdict; a check that was cancelled before there was one is inconclusive.
    private func verdict(_ reducer: VerdictReducer, at time: Duration) -> Verdict {
        if case .verdict(let verdict) = reducer.decision(at: time) { return verdict }
        return Task.isCancelled ? .inconclusive : reducer.finalVerdict
    }

    private func abandoned(_ index: Int, after time: Duration) -> Evidence {
        Evidence(
            url: configuration.endpoints[index].url, operatorName: operators[index],
            .failed(ProbeError(Task.isCancelled ? .cancelled : .abandoned, during: .judge)),
            durations: .init(total: time))
    }

    private func query(_ index: Int, until deadline: ContinuousClock.Instant) async -> Evidence {
        let endpoint = configuration.endpoints[index]
        let target = targets[index]
        let nonce = Nonce.make()
        // The prober ends a little before the check does, so that its own result counts. If it is late nevertheless, its
        // progress does.
        let request = request(
            endpoint, target, nonce, deadline - min(configuration.timeouts.total / 20, .milliseconds(50)))
        let classifier = ResponseClassifier(
            target: target, operatorName: operators[index], expectation: endpoint.expectation,
            isPublic: isPublic(index), nonce: nonce)
        let prober = prober
        let start = ContinuousClock.now
        let unfinished = { @Sendable (code: ProbeError.Code) in
            classifier.evidence(url: endpoint.url, request.progress.result(cutOffBy: code, after: .now - start))
        }
        return await firstAnswer(until: deadline, late: unfinished(.timedOut), cancelled: unfinished(.cancelled)) {
            let result = await prober.probe(request)
            return await Background.run { classifier.evidence(url: endpoint.url, result) }
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
        // The program's own fields replace Dialtone's; names are compared case-insensitively.
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
