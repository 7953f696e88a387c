// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DialtoneTesting

@testable import Dialtone

/// What checks conclude over one random network, and what is wrong about it.
struct Simulation: Sendable {
    let network: RandomNetwork
    let facts: Facts
    let conclusion: Conclusion
    /// What is wrong, each as a text that is the same for all networks of its class.
    private(set) var problems: [String] = []
    /// Further facts about a problem.
    private var details: [String] = []

    /// Makes a network and checks over it; over one in four once more after its faults were removed, and over one in four with
    /// other arrivals.
    init(seed: UInt64) async throws {
        network = RandomNetwork(seed: seed)
        let scripted = ScriptedNetwork(network.broken.chain, seed: seed)
        (facts, conclusion) = try await network.broken.conclusion(over: scripted)
        compareWithTruth()
        compareOrders()
        if seed % 4 == 0, !network.faults.isEmpty {
            scripted.play(network.healthy.chain)
            let (_, next) = try await network.healthy.conclusion(over: scripted)
            if next.state != .online || !next.remarks.isEmpty {
                add("concludes the same after the fault", next.text)
            }
        }
        // Only arrivals differ: the time of each packet within the jitter of the network.
        guard seed % 4 == 2, !network.faults.contains(where: \.isRandom) else { return }
        let other = ScriptedNetwork(network.broken.chain, seed: ~seed)
        let (_, again) = try await network.broken.conclusion(over: other)
        if again.names != conclusion.names { add("concludes something else by arrival", again.text) }
    }

    private mutating func add(_ problem: String, _ detail: String = "") {
        problems.append(problem)
        if !detail.isEmpty { details.append("\(problem): \(detail)") }
    }

    private mutating func compareWithTruth() {
        let faults = network.faults
        if let fault = conclusion.fault, !faults.contains(where: { $0.faults.contains(fault) }) {
            add("blames \(fault) (\(conclusion.cause?.rawValue ?? "no cause"))")
        } else if conclusion.state != .online, faults.allSatisfy(\.keepsOnline), !isCutOff {
            add("is \(conclusion.state) (\(conclusion.cause?.rawValue ?? "no cause"))")
        }
        if conclusion.state == .online, !faults.allSatisfy(\.leavesInternet) { add("is online") }
        for remark in conclusion.remarks where !faults.contains(where: { $0.remarks.contains(remark.kind) }) {
            add("remarks \(remark.kind.rawValue)", remark.description)
        }
    }

    /// Whether two faults together take longer than a check does, and it says so.
    private var isCutOff: Bool {
        network.faults.count > 1 && conclusion.state == .unverified
            && network.faults.contains { $0.isNamed(by: conclusion) }
    }

    /// The same facts in other orders give the same conclusion.
    private mutating func compareOrders() {
        var random = RandomChoice(seed: network.seed)
        var facts = facts
        for _ in 0..<3 {
            random.shuffle(&facts.operators)
            random.shuffle(&facts.routers)
            random.shuffle(&facts.nameServers)
            random.shuffle(&facts.beyond)
            random.shuffle(&facts.otherVersion)
            let other = Conclusion(facts)
            if other.names != conclusion.names { return add("concludes something else by order", other.text) }
        }
    }

    /// How a network with one fault was concluded.
    enum Result: String, CaseIterable {
        case named, unknown, unnoticed, wrong
    }

    var result: Result {
        if !problems.isEmpty { return .wrong }
        if network.faults.contains(where: { $0.isNamed(by: conclusion) }) { return .named }
        return conclusion.state == .online ? .unnoticed : .unknown
    }

    /// The network, the truth, and the conclusion with its facts.
    var report: String {
        """
        \(network)
          truth: \(network.truth)
          concluded: \(conclusion.text)
          wrong: \(problems.joined(separator: "; "))\(details.map { "\n    \($0)" }.joined())
          facts: \(facts.text)
        """
    }
}

extension RandomNetwork.Machine {
    /// Runs a check.
    func conclusion(over network: ScriptedNetwork) async throws -> (facts: Facts, conclusion: Conclusion) {
        let check = try check(over: network.transport)
        let report = await network.run { await check.run() }
        // Ends what the check leaves behind, which would hold the network.
        network.clock.advance(by: .seconds(60))
        let facts = Facts(chain.path, report)
        return (facts, Conclusion(facts))
    }

    private func check(over transport: NetworkTransport) throws -> InternetCheck {
        guard usesProxy else { return try InternetCheck(over: transport) }
        let proxy = "http://\(RandomNetwork.proxy):3128"
        let prober = SocketHTTPProbe(resolver: transport.resolver, over: transport.runner) {
            ["http_proxy": proxy, "https_proxy": proxy]
        }
        var check = try InternetCheck(InternetCheck.Configuration(proxies: .environment), prober: prober) { _ in
            .unknown
        }
        check.transport = transport
        return check
    }
}

extension Conclusion {
    /// The view of programs.
    fileprivate var names: [String?] {
        [state.rawValue, fault?.rawValue, cause?.rawValue] + remarks.map(\.kind.rawValue).sorted()
    }

    fileprivate var text: String {
        ([state.rawValue, fault?.rawValue ?? "no fault", cause?.rawValue ?? "no cause", reason]
            .compactMap(\.self) + remarks.map(\.description)).joined(separator: ", ")
    }
}

extension Facts {
    /// The facts of a conclusion, in one line.
    fileprivate var text: String {
        var parts = ["\(verdict.map { "\($0)" } ?? "no check") after \(duration.milliseconds) ms"]
        parts.append("endpoints " + operators.map(\.text).joined(separator: ", "))
        if !routers.isEmpty {
            parts.append(
                "routers "
                    + routers.map { "\($0.router) \($0.outcome)\($0.report.map { " (\($0.reason))" } ?? "")" }
                    .joined(separator: ", "))
        }
        if !nameServers.isEmpty {
            parts.append("name servers " + nameServers.map { "\($0.server) \($0.outcome)" }.joined(separator: ", "))
        }
        for (name, answers) in [("beyond", beyond), ("other version", otherVersion)] where !answers.isEmpty {
            parts.append("\(name) " + answers.map { "\($0.address) \($0.outcome)" }.joined(separator: ", "))
        }
        if let largePackets { parts.append("large packets \(largePackets)") }
        if let measuredLoss { parts.append("measured loss \(measuredLoss.share)") }
        if let lossAtMost {
            parts.append("\(lossAtMost.percentageAnswered) % of \(lossAtMost.roundTrips) packets answered")
        }
        return parts.joined(separator: "; ")
    }
}

extension InternetCheck.Evidence {
    fileprivate var text: String {
        let outcome = error.map { "\($0.code) at \($0.step)" } ?? (portal == nil ? "passed" : "portal")
        return "\(operatorText)\(isSecure ? " HTTPS" : "") \(outcome)" + (status.map { " \($0)" } ?? "")
            + " in \(durations.total.milliseconds) ms"
    }
}
#endif
