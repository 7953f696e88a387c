//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dialtone
import Dispatch
import Synchronization

/// A monitor whose every delivery is expected: each transition once, in order, and none besides.
final class Watch {
    private let monitor: NWPathMonitor
    private let arrivals = Arrivals()
    private let queue = DispatchQueue(label: "lab.watch")
    private unowned let lab: Lab

    init(_ filter: PathFilter, _ lab: Lab) {
        self.lab = lab
        if let type = filter.requiredType {
            monitor = NWPathMonitor(requiredInterfaceType: type)
        } else {
            monitor = NWPathMonitor(prohibitedInterfaceTypes: Array(filter.prohibitedTypes))
        }
        monitor.pathUpdateHandler = { [arrivals] in arrivals.add($0) }
        monitor.start(queue: queue)
    }

    func end() { monitor.cancel() }

    /// The path now.
    var path: NetworkPath { NetworkPath(monitor.currentPath) }

    /// Waits for these transitions, in this order and with none in between.
    ///
    /// One that begins with `?` is a stage that the kernel itself passes through, and that may be over before anybody can look:
    /// it may be missing.
    ///
    /// - Throws: what came instead.
    func expect(_ expected: String..., seconds: Double = 30) throws {
        var stages = expected[...]
        while !stages.isEmpty {
            guard let next = arrivals.next(seconds) else {
                if stages.allSatisfy({ $0.hasPrefix("?") }) { return }
                throw Failure("nothing came, where this was expected: \(stages)\n      the path is: \(Self.text(path))")
            }
            let text = Self.text(next.path)
            while let stage = stages.first, stage.hasPrefix("?"), stage != "?" + text { stages.removeFirst() }
            guard let stage = stages.popFirst(), stage == text || stage == "?" + text else {
                throw Failure("this came: \(text)\n      where this was expected: \(expected)\(rest)")
            }
            lab.note("\(text)  [\(delay(of: next))]")
        }
    }

    /// Fails when there is a transition that nobody has asked for.
    func expectNothing() throws {
        queue.sync {}
        guard let extra = arrivals.next(0) else { return }
        throw Failure("this came besides: \(Self.text(extra.path))\(rest)")
    }

    /// What else came by now, for the report of a failure.
    private var rest: String {
        var lines = ""
        while let next = arrivals.next(0.5) { lines += "\n      and then: \(Self.text(next.path))" }
        return lines
    }

    /// How long it took from the kernel's change to the handler; for what the kernel did not announce, from the command.
    private func delay(of arrival: Arrivals.Arrival) -> String {
        if let change = lab.kernel.beginning(ofChangeSeenAt: arrival.moment), change >= lab.lastCommand {
            return "\(Moment.text(since: change, until: arrival.moment)) after the kernel"
        }
        return "\(Moment.text(since: lab.lastCommand, until: arrival.moment)) after the command"
    }

    /// A path on one line, with everything that scenarios look at.
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

/// What a monitor has delivered, and when, until a scenario asks for it.
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

    /// The next one; nil when none comes in time.
    func next(_ seconds: Double) -> Arrival? {
        guard count.wait(timeout: .now() + seconds) == .success else { return nil }
        return waiting.withLock { $0.removeFirst() }
    }
}
