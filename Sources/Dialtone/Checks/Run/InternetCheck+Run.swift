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
    /// - Parameters:
    ///   - path: the path, if it is already known.
    ///   - policy: when to ask the nearer hops.
    func run(on link: Int?, over path: NetworkPath?, asking policy: HopPolicy = .ifNeeded) async -> Report {
        await run(on: link, over: path, given: outlook(over: path), asking: policy) { _ in }
    }

    /// Runs the check with an outlook that is already known.
    ///
    /// - Parameters:
    ///   - view: the state of the network, if it is already known.
    ///   - receive: called with the hops that are known so far.
    func run(
        on link: Int?, over path: NetworkPath?, under view: HostView? = nil, given outlook: HostEnvironment.Outlook,
        asking policy: HopPolicy, onHops receive: (Hops) -> Void
    ) async -> Report {
        let (checkedAt, start) = (time.moment.realtime, time.now)
        switch outlook {
        case .open: break
        case .blocked(let error):
            return Self.report(
                without: error, endpoints: configuration.endpoints, since: start, at: checkedAt, on: time)
        case .isolated(let diagnosis):
            var report = await isolated.run(
                since: start, at: checkedAt, on: link, over: path, under: view, .never, receive)
            if case .noInternet = report.verdict { report.diagnosis = diagnosis }
            return report
        }
        return await run(since: start, at: checkedAt, on: link, over: path, under: view, policy, receive)
    }

    private func run(
        since start: ContinuousClock.Instant, at checkedAt: Date, on link: Int?, over path: NetworkPath?,
        under view: HostView?, _ policy: HopPolicy, _ receive: (Hops) -> Void
    ) async -> Report {
        var reducer = VerdictReducer(
            targets.indices.map { subject($0) }, quorum: configuration.quorum,
            decisionWindow: configuration.decisionWindow, requiresTLS: configuration.requiresTLS,
            fallback: targets.first { !$0.isSecure }?.url,
            captivePortalAPI: configuration.captivePortalAPI == .off ? .silent : .pending)
        var apiEvidence: Report.CaptivePortalEvidence?
        var hops = HopCollection(policy, within: configuration.timeouts.total)
        let progress = targets.map { _ in ProbeProgress(time) }
        var unanswered: [Int: Evidence] = [:]
        let deadline = start + configuration.timeouts.total

        await withTaskGroup(of: Event.self) { group in
            for index in targets.indices {
                group.addTask { .evidence(index, await query(index, until: deadline, progress[index])) }
            }
            if configuration.captivePortalAPI != .off {
                group.addTask { .captivePortal(await captivePortalEvidence(on: link, until: deadline)) }
            }
            var alarm: Duration?
            while !Task.isCancelled {
                let now = start.duration(to: time.now)
                let decision = reducer.decision(at: now)
                for kind in hops.dueKinds(decision, at: now) {
                    group.addTask { .inquiry(kind, await inquiry(over: path, under: view, since: start)) }
                }
                if hops.mayTestLargePackets(at: now), let test = largePacketTest(reducer, progress) {
                    hops.begin([.largePackets], at: now)
                    let limit = time.now.duration(to: deadline)
                    group.addTask { .hops(.largePackets(await test.run(within: min(limit, .seconds(4))))) }
                }
                if hops.mayMeasureLoss(decision, at: now), let probe = lossProbe(reducer, hops.hops) {
                    hops.begin([.loss], at: now)
                    group.addTask { .hops(.loss(await probe.run())) }
                }
                if hops.mayTryFamily, let probe = familyProbe(reducer, over: path) {
                    hops.begin([.family], at: now)
                    group.addTask { .hops(.family(await probe.run(within: FamilyEvidence.probePatience))) }
                }
                if hops.isOver(decision, at: now), !isTryingFamily(decision, reducer, at: now) { break }
                if let next = hops.nextTime(decision, at: now), next != alarm {
                    alarm = next
                    group.addTask {
                        try? await time.sleep(until: start + next)
                        return .alarm
                    }
                }
                guard let event = await group.next() else { break }
                switch event {
                case .alarm: break
                case .evidence(let index, let new):
                    // A probe that was cut off proves nothing, not even that HTTPS could not be queried.
                    if Task.isCancelled, new.error?.code == .cancelled { continue }
                    let now = start.duration(to: time.now)
                    reducer.record(new, of: index, at: now)
                    if new.error?.isInability == false { hops.noteFailure(at: now) }
                case .captivePortal(let new):
                    apiEvidence = new
                    // Without a plain endpoint and a login page, a browser is directed to the API's own URL.
                    reducer.fallback = reducer.fallback ?? new.flatMap { PortalURL.usable($0.url) }
                    reducer.record(new?.finding ?? .silent, at: start.duration(to: time.now))
                case .inquiry(let kind, let inquiry):
                    guard let inquiry else {
                        hops.end(kind)
                        continue
                    }
                    hops.publicAddresses = inquiry.publicAddresses
                    let limit = time.now.duration(to: deadline)
                    group.addTask { .hops(await inquiry.ask(kind, within: limit)) }
                case .hops(let part):
                    hops.add(part)
                    receive(hops.hops)
                }
            }
            group.cancelAll()
            for await case .evidence(let index, let evidence) in group { unanswered[index] = evidence }
        }
        let duration = start.duration(to: time.now)
        var report = Report(
            verdict: verdict(reducer, at: duration), checkedAt: checkedAt, duration: duration,
            endpoints: reducer.evidence.enumerated().map { $1 ?? abandoned($0, unanswered[$0], after: duration) },
            captivePortalAPI: apiEvidence, hops: hops.result(at: duration))
        report.familyAnswers = hops.familyAnswers
        await report.addNameServers(since: start, isAsked: hops.isCutOff(.nameServers), over: transport, under: view)
        let facts = Facts(report)
        if policy != .never, facts.isPremature {
            // Where answers take long, or packets may be lost, a longer silence would not prove more. With a longer limit, earlier
            // steps took long.
            let proves =
                !facts.isTooSlow && !facts.isLossOpen && configuration.timeouts.total < Report.provingSilence * 2
            (report.verdict, report.prematureVerdict) = (.inconclusive, proves ? report.verdict : nil)
        }
        return report
    }

    /// A measurement of the loss with a public address that has answered, while endpoints are silent; nil without one.
    private func lossProbe(_ reducer: VerdictReducer, _ hops: Hops) -> LossProbe? {
        guard reducer.evidence.contains(where: { $0 == nil || $0?.error?.mayBeLoss == true }),
            let answer = hops.publicAddresses.first(where: { $0.outcome == .answers })
        else { return nil }
        return LossProbe(
            answer.address, port: PublicAddressProbe.port, binding: configuration.binding,
            isFast: answer.duration <= LossProbe.longestRoundTrip, over: transport.runner)
    }

    /// A probe of the IP version whose attempts to connect were outpaced or failed while the other one works; nil if there is
    /// none.
    private func familyProbe(_ reducer: VerdictReducer, over path: NetworkPath?) -> PublicAddressProbe? {
        guard isSystems, let family = FamilyEvidence.suspect(reducer.evidence.compactMap(\.self)),
            path?.supports(family) ?? true
        else { return nil }
        let known = publicAddresses.filter { $0.version == family }
        if !known.isEmpty {
            return PublicAddressProbe(known, binding: configuration.binding, over: transport.runner)
        }
        // Without public addresses, the endpoints' own addresses are tried again.
        let port = targets[0].port
        let tried = zip(targets, reducer.evidence).filter { $0.0.port == port }
            .flatMap { $1?.failedAttempts ?? [] }.map(\.address).filter { $0.version == family }
        return PublicAddressProbe(
            Array(Set(tried)), port: port, binding: configuration.binding, over: transport.runner)
    }

    /// Whether the endpoint that tries the other IP version first has not answered yet, although it should soon.
    private func isTryingFamily(
        _ decision: VerdictReducer.Decision, _ reducer: VerdictReducer, at now: Duration
    ) -> Bool {
        guard decision == .verdict(.verified), let index = reversedEndpoint else { return false }
        return reducer.evidence[index] == nil && now < Self.reversalPatience
    }

    /// The time for which a verified check waits for the endpoint that tries the other IP version first.
    private static let reversalPatience = Duration.seconds(1)

    /// The endpoint that tries first the IP version that the others try last, so that each check tries both without more
    /// packets; nil if there is only one endpoint.
    private var reversedEndpoint: Int? {
        guard targets.count > 1, configuration.family == .any, isSystems else { return nil }
        return targets.firstIndex { !$0.isSecure && NetworkAddress($0.host) == nil }
    }

    /// Whether connections are made and names are resolved as this machine does.
    private var isSystems: Bool {
        #if canImport(Darwin)
        return false
        #else
        return (prober as? SocketHTTPProbe)?.isSystems == true
        #endif
    }

    /// A test with an HTTPS endpoint whose handshake stalls while plain HTTP passes; nil without one.
    private func largePacketTest(_ reducer: VerdictReducer, _ progress: [ProbeProgress]) -> LargePacketProbe? {
        let answers = zip(targets, reducer.evidence)
        guard answers.contains(where: { !$0.isSecure && $1?.passed == true }),
            !answers.contains(where: { $0.isSecure && $1?.passed == true })
        else { return nil }
        for (index, target) in targets.enumerated() where target.isSecure {
            let stalled = reducer.evidence[index].flatMap {
                $0.error?.step == .tls && $0.proxy == nil ? $0.address : nil
            }
            guard let address = stalled ?? progress[index].handshake else { continue }
            return LargePacketProbe(
                target.host, at: address, port: target.port, binding: configuration.binding,
                over: transport.runner)
        }
        return nil
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
        case inquiry(HopCollection.Kind, HopInquiry?)
        case hops(HopCollection.Part)
        case alarm
    }

    /// The reducer's verdict; a check that was cancelled before there was one is inconclusive.
    private func verdict(_ reducer: VerdictReducer, at time: Duration) -> Verdict {
        if case .verdict(let verdict) = reducer.decision(at: time) { return verdict }
        return Task.isCancelled ? .inconclusive : reducer.finalVerdict
    }

    /// The evidence of an endpoint that had not answered when the verdict was certain.
    private func abandoned(_ index: Int, _ unfinished: Evidence?, after time: Duration) -> Evidence {
        if !Task.isCancelled, time >= Self.silence, var evidence = unfinished, let error = evidence.error {
            evidence.outcome = .failed(ProbeError(.timedOut, during: error.step, error.message))
            return evidence
        }
        return Evidence(
            url: configuration.endpoints[index].url, operatorName: operators[index],
            .failed(ProbeError(Task.isCancelled ? .cancelled : .abandoned, during: .judge)),
            durations: .init(total: time))
    }

    /// The time after which an endpoint without an answer is silent rather than not needed.
    private static let silence = Duration.seconds(2)

    private func query(
        _ index: Int, until deadline: ContinuousClock.Instant, _ progress: ProbeProgress
    ) async -> Evidence {
        let endpoint = configuration.endpoints[index]
        let target = targets[index]
        let nonce = Nonce.make()
        // The prober ends a little before the check does, so that its own result counts. If it is late nevertheless, its
        // progress does.
        var request = request(
            endpoint, target, nonce, deadline - min(configuration.timeouts.total / 20, .milliseconds(50)))
        request.progress = progress
        request.reversesFamilies = index == reversedEndpoint
        let queried = request
        let classifier = ResponseClassifier(
            target: target, operatorName: operators[index], expectation: endpoint.expectation,
            isPublic: isPublic(index), nonce: nonce)
        let prober = prober
        let start = time.now
        let unfinished = { @Sendable (code: ProbeError.Code) in
            classifier.evidence(url: endpoint.url, progress.result(cutOffBy: code, after: time.now - start))
        }
        return await firstAnswer(
            until: deadline, on: time, late: unfinished(.timedOut), cancelled: unfinished(.cancelled)
        ) {
            let result = await prober.probe(queried)
            return await Background.run {
                var evidence = classifier.evidence(url: endpoint.url, result)
                evidence.reversesFamilies = queried.reversesFamilies
                return evidence
            }
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
