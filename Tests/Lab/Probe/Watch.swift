// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Dispatch
import OpenNetwork
import Synchronization

/// A monitor whose every delivery is expected: each transition once, in order, and no other.
final class Watch {
    private let monitor: NWPathMonitor
    private let arrivals = Arrivals()
    private let queue = DispatchQueue(label: "lab.watch")
    private unowned let lab: Lab

    init(_ filter: PathFilter, _ lab: Lab) {
        self.lab = lab
        monitor = filter.makeMonitor()
        monitor.pathUpdateHandler = { [arrivals] in arrivals.add($0) }
        monitor.start(queue: queue)
    }

    func end() { monitor.cancel() }

    /// The current path.
    var path: NetworkPath { NetworkPath(monitor.currentPath) }

    /// Waits for these transitions, in this order and with no other in between.
    ///
    /// A transition that begins with `?` is a stage that the kernel passes through, and that may be over before it can be
    /// observed: it may be missing.
    ///
    /// - Throws: what was delivered instead.
    func expect(_ expected: String..., seconds: Double = 30) throws {
        var stages = expected[...]
        while !stages.isEmpty {
            guard let next = arrivals.next(seconds) else {
                if stages.allSatisfy({ $0.hasPrefix("?") }) { return }
                throw Failure("nothing was delivered; expected: \(stages)\n      the path is: \(Self.text(path))")
            }
            let text = Self.text(next.path)
            while let stage = stages.first, stage.hasPrefix("?"), stage != "?" + text { stages.removeFirst() }
            guard let stage = stages.popFirst(), stage == text || stage == "?" + text else {
                throw Failure("delivered: \(text)\n      expected: \(expected)\(rest)")
            }
            lab.note("\(text)  [\(delay(of: next))]")
        }
    }

    /// Fails if a transition was delivered that no scenario expected.
    func expectNothing() throws {
        queue.sync {}
        guard let extra = arrivals.next(0) else { return }
        throw Failure("delivered unexpectedly: \(Self.text(extra.path))\(rest)")
    }

    /// The deliveries after that, for the failure message.
    private var rest: String {
        var lines = ""
        while let next = arrivals.next(0.5) { lines += "\n      and then: \(Self.text(next.path))" }
        return lines
    }

    /// The delay from the kernel's change to the handler, or from the command for a change that the kernel did not announce.
    private func delay(of arrival: Arrivals.Arrival) -> String {
        if let change = lab.kernel.beginning(ofChangeSeenAt: arrival.moment), change >= lab.lastCommand {
            return "\(Moment.text(since: change, until: arrival.moment)) after the kernel"
        }
        return "\(Moment.text(since: lab.lastCommand, until: arrival.moment)) after the command"
    }

    /// The properties of a path that scenarios compare, on one line.
    static func text(_ path: NetworkPath) -> String {
        var words = ["\(path.status)"]
        if let diagnosis = path.diagnosis {
            words.append("\(diagnosis.reason)")
            if let name = diagnosis.interface?.name { words.append(name) }
        }
        for interface in path.interfaces where path.status == .satisfied {
            words.append("\(interface.name)=\(interface.type)" + (interface.networkName.map { "@\($0)" } ?? ""))
        }
        let carriers = path.usedInterfaceTypes.subtracting(path.interfaces.first.map { [$0.type] } ?? [])
        words += carriers.map { "over-\($0)" }.sorted()
        words += path.gateways.map { "via-\($0)" }
        if path.unsatisfiedReason != .notAvailable { words.append("\(path.unsatisfiedReason)") }
        if path.isExpensive { words.append("expensive") }
        if path.isConstrained { words.append("constrained") }
        if path.linkQuality != .unknown { words.append("\(path.linkQuality)") }
        return words.joined(separator: " ")
    }
}

/// The deliveries of a monitor with their times, until a scenario reads them.
private final class Arrivals: Sendable {
    struct Arrival {
        let path: NetworkPath
        let moment: UInt64
    }

    private let waiting = Mutex<[Arrival]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ path: NWPath) {
        let moment = Moment.now
        waiting.withLock { $0.append(Arrival(path: NetworkPath(path), moment: moment)) }
        count.signal()
    }

    /// The next delivery; nil when none arrives in time.
    func next(_ seconds: Double) -> Arrival? {
        guard count.wait(timeout: .now() + seconds) == .success else { return nil }
        return waiting.withLock { $0.removeFirst() }
    }
}
