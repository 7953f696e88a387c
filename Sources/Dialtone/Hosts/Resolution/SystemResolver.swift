// SPDX-License-Identifier: Apache-2.0

import SystemSupport

/// Resolves names with getaddrinfo(3), which obeys the system's configuration.
///
/// Names with a dot are absolute: no search domain is appended to them.
///
/// The call cannot be cancelled, and takes half a minute if the name servers are silent. It runs on a bounded number of
/// dedicated threads; stuck calls do not occupy all of them.
/// A caller stops waiting when its task is cancelled. Lookups of the same host within a second share one
/// call.
///
/// The C library does not report why it has no answer, and repeats queries that were refused. When a call is slow or
/// fails, the name servers are therefore queried directly, and the error says whether they refuse, fail or are silent.
package final class SystemResolver: NameResolver {
    /// The resolver of the process, with one set of threads.
    package static let shared = SystemResolver()

    /// A lookup of a host's addresses.
    struct Question: Hashable, Sendable {
        let host: String
        var family: NetworkAddress.Family
        /// Whether search domains apply to a name with fewer dots than `ndots`.
        var obeysNDots = false
    }

    typealias Answer = Result<[NetworkAddress], ProbeError>

    private let runner: any SocketRunner
    private let pool: LookupPool<Question, Answer>
    /// The machine in memory; nil for this machine.
    let host: NameServiceHost?
    private let examination = Mutex(Examination())

    /// The duration of a call after which the name servers are queried directly; they are queried at once unless the
    /// last call succeeded, because the C library's retries use up the refusals that a host sends a second.
    private static let examinationDelay = Duration.milliseconds(100)
    /// The duration of a call after which a refusal by all name servers ends it: names may have other sources
    /// (nsswitch.conf(5)).
    private static let refusalDelay = Duration.milliseconds(500)
    /// The duration of a call after which silence of all name servers ends it.
    private static let silenceDelay = Duration.seconds(5)
    /// The duration of a call for both families after which IPv4 addresses alone are enough if they have a route: some forwarders
    /// drop queries for IPv6 addresses, and the C library waits five seconds before it repeats a lost query or asks the next server.
    private static let familyDelay = Duration.milliseconds(1500)
    /// A server that answers the first query for IPv4 addresses within this time.
    private static let promptAnswer = Duration.milliseconds(250)
    /// The time for such a server to answer queries for IPv6 addresses, which are repeated.
    private static let promptPatience = Duration.milliseconds(1250)

    /// Creates a resolver.
    ///
    /// - Parameters:
    ///   - host: the machine in memory; nil for this machine.
    ///   - runner: runs what queries name servers; by default with the kernel's sockets.
    init(
        of host: NameServiceHost? = nil, over runner: (any SocketRunner)? = nil, threads: ThreadStarter = .system,
        limit: Int = 24, hardLimit: Int = 64
    ) {
        self.runner = runner ?? KernelSocketRunner(threads)
        self.host = host
        pool = LookupPool(
            LookupQueue(hopefulCalls: limit, calls: hardLimit, patience: .seconds(5), sharing: .seconds(1)),
            withoutThread: .failure(.resolving(.noResources, "no thread left")),
            start: { work, refused in
                do {
                    try threads.start("dialtone.lookup", work)
                } catch {
                    refused()
                }
            }, lookUp: Self.look)
    }

    /// The addresses of a host, in the order of RFC 6724.
    package func addresses(of host: String, family: NetworkAddress.Family) async throws -> [NetworkAddress] {
        try await addresses(of: Question(host: host, family: family))
    }

    /// The addresses of a host, or the error, as soon as either is known.
    func addresses(of question: Question) async throws -> [NetworkAddress] {
        let start = time.now
        return try await withThrowingTaskGroup(of: [NetworkAddress].self) { group in
            let isDoubtful = !examination.withLock { $0.isLastCallGood }
            if isDoubtful { _ = self.examination(of: question.host, since: start) }
            group.addTask {
                let answer = await self.answer(to: question)
                self.examination.withLock { $0.isLastCallGood = (try? answer.get()) != nil }
                guard case .failure(let error) = answer, error.code == .nameServerFailure else {
                    return try answer.get()
                }
                throw await self.fault(question.host, since: start)?.error ?? error
            }
            group.addTask {
                if !isDoubtful { try await self.time.sleep(for: Self.examinationDelay) }
                let fault = await self.fault(question.host, since: start)
                try await self.time.sleep(until: start + Self.refusalDelay)
                if let fault, [.refused, .unreachable, .unconfigured].contains(fault.kind) { throw fault.error }
                if let fault, fault.kind == .silent {
                    try await self.time.sleep(until: start + Self.silenceDelay)
                    throw fault.error
                }
                // A server answers, so the C library will reach it: the caller's time limit decides.
                return try await self.forever()
            }
            if question.family == .any {
                group.addTask {
                    try await self.time.sleep(until: start + Self.familyDelay)
                    var ipv4 = question
                    ipv4.family = .ipv4
                    guard case .success(let addresses) = await self.answer(to: ipv4), await self.hasRoute(to: addresses)
                    else { return try await self.forever() }
                    self.examination.withLock { $0.shortcut = self.time.now }
                    return addresses
                }
            }
            defer { group.cancelAll() }
            do {
                return try await group.next() ?? []
            } catch is CancellationError {
                throw ProbeError.resolving(.cancelled)
            }
        }
    }

    /// Whether this machine has a route to one of some addresses.
    ///
    /// Nothing is sent.
    private func hasRoute(to addresses: [NetworkAddress]) async -> Bool {
        await runner.run("dialtone.route") { network in
            addresses.contains { address in
                do throws(SystemError) {
                    // The kernel looks up the route of a datagram socket when it is connected.
                    try network.open(address.version, .datagram).startConnecting(to: address, port: 443)
                    return true
                } catch {
                    return false
                }
            }
        } ?? false
    }

    /// Never returns; throws if the task is cancelled.
    private func forever() async throws -> [NetworkAddress] {
        while true { try await time.sleep(for: .seconds(86_400)) }
    }

    private var time: TimeSource { runner.time }

    /// Whether it resolves names as this machine, or the one in memory, is configured to.
    var isMachines: Bool { host != nil || self === Self.shared }

    var running: Int { pool.running }

    // MARK: The C library's answer

    private func answer(to question: Question) async -> Answer {
        if let host {
            let (answer, duration) = host.lookUp(question.host, question.family)
            try? await time.sleep(for: duration)
            return answer
        }
        let cancelled = Answer.failure(.resolving(.cancelled))
        guard !Task.isCancelled else { return cancelled }
        let (answers, waiter) = AsyncStream.makeStream(of: Answer.self)
        let ticket = pool.resolve(question) { _ = waiter.yield($0) }
        defer { pool.cancel(ticket) }
        // The stream ends when the task is cancelled.
        return await answers.first { _ in true } ?? cancelled
    }

    /// Calls the C library, without a time limit.
    private static func look(_ question: Question) -> Answer {
        let name = SearchDomains.absoluteName(question.host, obeysNDots: question.obeysNDots)
        return AddressLookup.addresses(of: Array(name.utf8CString), family: question.family)
            .mapError { ProbeError($0) }
    }

    // MARK: The name servers' own answers

    /// The latest probe of the name servers; concurrent lookups share it.
    struct Examination {
        private(set) var start: ContinuousClock.Instant?
        var result: Task<NameServers?, Never>?
        /// The reactions so far.
        private(set) var servers = NameServers()
        /// When a lookup last did without the IPv6 addresses that it was waiting for.
        var shortcut: ContinuousClock.Instant?
        /// Whether the C library's last call found addresses.
        var isLastCallGood = false
        private var number: UInt64 = 0

        /// Begins another probe, and returns its number.
        mutating func begin(at now: ContinuousClock.Instant) -> UInt64 {
            number += 1
            start = now
            servers = NameServers()
            return number
        }

        /// Handles the state of a probe.
        ///
        /// The thread of an earlier probe may still run, and its reactions are those of that probe's servers.
        mutating func update(_ probe: UInt64, _ change: (inout NameServers) -> Void) {
            if probe == number { change(&servers) }
        }
    }

    /// Why a lookup that began at a time and has run out of time has no answer, as far as the name servers have reacted.
    func fault(ofLookupSince start: ContinuousClock.Instant) -> NameServerFault {
        let servers = nameServers(queriedSince: start - Self.examinationDelay)
        let silent = servers.reactions.filter { $0.answer == nil }.map(\.server)
        return (silent.isEmpty ? NameServerFault(servers) : nil) ?? NameServerFault(.silent, silent)
    }

    /// The reactions of the name servers so far, if they were queried since a time; else empty.
    func nameServers(queriedSince start: ContinuousClock.Instant) -> NameServers {
        examination.withLock { state in
            state.start.map { $0 >= start } == true ? state.servers : NameServers()
        }
    }

    /// Whether lookups since a time did without IPv6 addresses, and all name servers that answer queries for IPv4 addresses at once do
    /// not answer those for IPv6 addresses.
    func areQueriesForIPv6Dropped(since start: ContinuousClock.Instant, about name: String) async -> Bool {
        guard examination.withLock({ $0.shortcut }).map({ $0 >= start }) == true else { return false }
        let prompt = nameServers(queriedSince: start).reactions.filter { _, answer in
            answer.map { $0.outcome == .answers && $0.duration < Self.promptAnswer } ?? false
        }
        guard !prompt.isEmpty else { return false }
        let probe = NameServerProbe(prompt.map(\.server), about: name, for: .ipv6)
        return await probe.run(within: Self.promptPatience, over: runner).allSatisfy { $0.outcome == .silent }
    }

    /// The reactions of the name servers; nil if they cannot be queried.
    ///
    /// A probe under way is shared.
    ///
    /// - Parameters:
    ///   - name: the name to query; the servers are queried for it anyway.
    ///   - start: a probe that started earlier does not count.
    func nameServers(about name: String, since start: ContinuousClock.Instant) async -> NameServers? {
        let result = examination(of: name, since: start)
        // The probe itself ends in time; only its thread may start late.
        let deadline = time.now + KernelSockets.neighborPatience + .seconds(1)
        let late = { @Sendable in self.examination.withLock { $0.servers } }
        return await firstAnswer(until: deadline, on: time, late: late(), cancelled: nil) { await result.value }
    }

    /// The problem with the name servers; nil if they cannot be queried.
    private func fault(_ name: String, since start: ContinuousClock.Instant) async -> NameServerFault? {
        await nameServers(about: name, since: start).flatMap { NameServerFault($0) }
    }

    private func examination(of name: String, since start: ContinuousClock.Instant) -> Task<NameServers?, Never> {
        examination.withLock { state in
            // Concurrent lookups share one probe.
            if let began = state.start, began >= start - Self.examinationDelay, let result = state.result {
                return result
            }
            let number = state.begin(at: time.now)
            let task = Work.start { await self.examine(about: name, number) }
            state.result = task
            return task
        }
    }

    private func examine(about name: String, _ number: UInt64) async -> NameServers? {
        await runner.run("dialtone.dns") { [self] network in
            let (servers, areConfigured) = host.map { ($0.nameServers, true) } ?? NameServiceFiles.nameServers()
            var found = NameServers(servers, areConfigured: areConfigured)
            examination.withLock { $0.update(number) { $0 = found } }
            let probe = NameServerProbe(servers, about: name)
            let answers = probe.run(within: KernelSockets.neighborPatience, network) { index, answer in
                examination.withLock { $0.update(number) { $0.react(index, answer) } }
            }
            for (index, answer) in answers.enumerated() { found.react(index, answer) }
            return found
        }
    }
}

/// The system's resolver for hosts that programs connect to: it applies search domains as `ndots` requires.
struct SearchDomainResolver: NameResolver {
    func addresses(of host: String, family: NetworkAddress.Family) async throws -> [NetworkAddress] {
        try await SystemResolver.shared.addresses(of: .init(host: host, family: family, obeysNDots: true))
    }
}

extension ProbeError {
    fileprivate init(_ failure: AddressLookup.Failure) {
        let code: Code =
            switch failure.reason {
            case .noSuchName: .hostNotFound
            case .noAddress: .noAddress
            case .noResources: .noResources
            case .refused, .noAnswer: .nameServerFailure
            }
        self = .resolving(code, failure.words)
    }
}
