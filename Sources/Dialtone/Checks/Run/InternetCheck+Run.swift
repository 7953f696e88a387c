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
    ///   - isFull: whether it awaits what its verdict does not need.
    func run(
        on link: Int?, over path: NetworkPath?, asking policy: HopPolicy = .ifNeeded, isFull: Bool = true
    ) async -> Report {
        await run(on: link, over: path, given: outlook(over: path), asking: policy, isFull: isFull) { _ in }
    }

    /// Runs the check with an outlook that is already known.
    ///
    /// - Parameters:
    ///   - view: the state of the network, if it is already known.
    ///   - receive: called with the hops that are known so far.
    func run(
        on link: Int?, over path: NetworkPath?, under view: HostView? = nil, given outlook: HostEnvironment.Outlook,
        asking policy: HopPolicy, isFull: Bool = true, onHops receive: (Hops) -> Void
    ) async -> Report {
        let checkedAt = time.moment.realtime
        let start = time.now
        var check = self
        let plan: CheckMachine.Plan
        var diagnosis: PathDiagnosis?
        switch outlook {
        case .open: plan = self.plan(over: path, asking: policy, isFull: isFull)
        case .blocked(let error):
            return Self.report(
                without: error, endpoints: configuration.endpoints, since: start, at: checkedAt, on: time)
        case .isolated(let known):
            // Name servers on this machine's own links answer soon or not at all.
            check.configuration.timeouts.resolve = min(configuration.timeouts.resolve, .seconds(1))
            plan = check.plan(over: path, asking: .never, isFull: false)
            diagnosis = known
        }
        let run = CheckRun(
            check: check, start: start, link: link, path: path, view: view, plan: plan,
            progress: targets.map { _ in ProbeProgress(time) })
        var report = await run.report(at: checkedAt, onHops: receive)
        if case .noInternet = report.verdict { report.diagnosis = diagnosis }
        return report
    }
}

/// Performs what the machine of a check commands, each command in a task, and records what happens.
private struct CheckRun: Sendable {
    /// The report of a task, and its time.
    private indirect enum Happening: Sendable {
        case event(CheckMachine.Event, ContinuousClock.Instant)
        case inquiry(HopCollection.Kind, HopInquiry, ContinuousClock.Instant)
    }

    let check: InternetCheck
    let start: ContinuousClock.Instant
    let link: Int?
    let path: NetworkPath?
    let view: HostView?
    let plan: CheckMachine.Plan
    let progress: [ProbeProgress]

    private var time: TimeSource { check.time }
    private var deadline: ContinuousClock.Instant { start + plan.limit }
    /// The time from the start of the check to now.
    private var elapsed: Duration { start.duration(to: time.now) }

    /// Runs the check.
    ///
    /// - Parameter receive: called with the hops that are known so far.
    func report(at checkedAt: Date, onHops receive: (InternetCheck.Hops) -> Void) async -> InternetCheck.Report {
        var machine = CheckMachine(plan)
        await withTaskGroup(of: Happening.self) { group in
            var latest: Happening?
            repeat {
                let now = elapsed
                if Task.isCancelled { machine.record(.cancelled, at: now) }
                switch latest {
                case .event(let event, let instant)?:
                    machine.record(event, at: start.duration(to: instant))
                    if case .hops = event { receive(machine.hops) }
                case .inquiry(let kind, let inquiry, let instant)?:
                    let asked = CheckMachine.Event.inquiry(kind, inquiry.publicAddresses, tunnel: inquiry.tunnel)
                    machine.record(asked, at: start.duration(to: instant))
                    let limit = time.now.duration(to: deadline)
                    group.addTask { .event(.hops(await inquiry.ask(kind, within: limit)), self.time.now) }
                case nil: break
                }
                if machine.needsHandshakes(at: now) {
                    for index in plan.endpoints.indices where plan.endpoints[index].subject.isSecure {
                        machine.record(.handshake(index, progress[index].handshake), at: now)
                    }
                }
                for command in machine.commands(at: now) { group.addTask { await self.perform(command) } }
                latest = machine.isOver ? nil : await group.next()
            } while latest != nil
            group.cancelAll()
            for await case .event(let event, let instant) in group {
                machine.record(event, at: start.duration(to: instant))
            }
        }
        let duration = elapsed
        if Task.isCancelled { machine.record(.cancelled, at: duration) }
        var report = machine.report(checkedAt: checkedAt, after: duration)
        let facts = Facts(report)
        let areNamesSlow = facts.hasSlowNames && facts.nameServers.isEmpty && facts.packetLoss == nil
        if machine.hopCollection.isCutOff(.nameServers) || areNamesSlow {
            await report.addNameServers(since: start, over: check.transport, under: view)
        }
        if report.verdict == .verified, facts.hasSlowNames {
            await report.addUnansweredQueries(since: start, about: check.nameToQuery, over: check.transport)
        }
        if facts.failedProxy != nil, facts.failsOnly(at: .connect) {
            await report.addProxyTunnel(of: facts.failures, over: check.transport)
        }
        if plan.policy != .never { report.limit = plan.limit }
        report.judgeSilence()
        return report
    }

    private func perform(_ command: CheckMachine.Command) async -> Happening {
        let event: CheckMachine.Event
        switch command {
        case .query(let index):
            let evidence = await check.query(
                index, until: deadline, progress[index], reversesFamilies: plan.reversedEndpoints.contains(index))
            event = .answered(index, evidence)
        case .queryCaptivePortalAPI:
            event = .captivePortal(await check.captivePortalEvidence(on: link, until: deadline))
        case .ask(let kind):
            let inquiry = await check.inquiry(over: path, under: view, since: start)
            if let inquiry { return .inquiry(kind, inquiry, time.now) }
            event = .inquiry(kind, nil)
        case .probe(let probe): event = .hops(await answers(to: probe))
        case .setAlarm(let due):
            try? await time.sleep(until: start + due)
            event = .alarm
        }
        return .event(event, time.now)
    }

    private func answers(to probe: CheckMachine.Probe) async -> HopCollection.Answers {
        let binding = check.configuration.binding
        let runner = check.transport.runner
        switch probe {
        case .largePackets(let index, let address):
            let target = check.targets[index]
            let test = LargePacketProbe(
                host: target.host, address: address, port: target.port, binding: binding, runner: runner)
            let limit = min(time.now.duration(to: deadline), LargePacketProbe.duration)
            return .largePackets(await test.run(within: limit))
        case .loss(let address, let port):
            let probe = LossProbe(address: address, port: port, binding: binding, runner: runner)
            return .loss(await probe.run())
        case .family(let family, let tried):
            let known = check.publicAddresses.filter { $0.version == family }
            let endpoint = plan.endpoints[0]
            let probe =
                known.isEmpty
                ? PublicAddressProbe(
                    addresses: tried, port: endpoint.port, isSecure: endpoint.subject.isSecure, binding: binding,
                    runner: runner)
                : PublicAddressProbe(addresses: known, binding: binding, runner: runner)
            return .family(await probe.run(within: FamilyEvidence.probePatience))
        case .certificate(let address):
            let probe = PublicAddressProbe(addresses: [address], binding: binding, runner: runner)
            return .certificate(isForeign: await probe.isForeign(address))
        case .page(let index):
            return .page(await check.query(index, until: deadline, ProbeProgress(time), reversesFamilies: true))
        }
    }
}

extension InternetCheck {
    /// The queries and rules of the check.
    fileprivate func plan(over path: NetworkPath?, asking policy: HopPolicy, isFull: Bool) -> CheckMachine.Plan {
        let isSystems = isSystems
        let reversed = isSystems ? reversedEndpoints(isFull: isFull) : []
        let secure = targets.indices.filter { targets[$0].isSecure }
        // Those are queried first that show whether HTTPS passes by each IP version.
        let first = reversed.union(secure.filter { !reversed.contains($0) }.prefix(1))
        return CheckMachine.Plan(
            endpoints: targets.indices.map { index in
                .init(
                    url: configuration.endpoints[index].url, port: targets[index].port,
                    subject: .init(
                        isSecure: targets[index].isSecure, operatorName: operators[index], isPublic: isPublic(index)))
            }, quorum: configuration.quorum, decisionWindow: configuration.decisionWindow,
            requiresTLS: configuration.requiresTLS, fallback: targets.first { !$0.isSecure }?.url,
            queriesCaptivePortalAPI: configuration.captivePortalAPI != .off, policy: policy,
            limit: configuration.timeouts.total, isFull: isFull,
            reversedEndpoints: reversed, deferredEndpoints: isFull ? Set(secure).subtracting(first) : [],
            families: isSystems ? IPVersion.allCases.filter { path?.supports($0) ?? true } : [])
    }

    /// The endpoints that try first the IP version that the others try last, so that each check tries both without more packets.
    ///
    /// A full check has two, plain HTTP and HTTPS of one operator, another check has one. Empty if there is only one endpoint.
    private func reversedEndpoints(isFull: Bool) -> Set<Int> {
        guard targets.count > 1, configuration.family == .any else { return [] }
        let named = targets.indices.filter { NetworkAddress(targets[$0].host) == nil }
        let secure = named.filter { targets[$0].isSecure }
        guard let plain = named.first(where: { !targets[$0].isSecure }) else { return [] }
        guard isFull else { return reversesSecure ? Set(secure.prefix(1)) : [plain] }
        let own = secure.first { operators[$0] == operators[plain] }
        return Set([plain] + (secure.count > 1 ? [own ?? secure[0]] : []))
    }

    /// Whether connections are made and names are resolved as this machine does.
    private var isSystems: Bool {
        #if canImport(Darwin)
        return false
        #else
        return (prober as? SocketHTTPProbe)?.isSystems == true
        #endif
    }
}
