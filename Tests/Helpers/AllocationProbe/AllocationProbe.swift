// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AllocationCounting
import Dispatch
import Glibc
import Netlink
import NetlinkTesting
import OpenNetwork

/// Prints the number of allocations of several operations, as lines `NAME NUMBER`.
///
/// It changes the network namespace in which it runs, which must be a private one.
@main
enum AllocationProbe {
    private static let repetitions = 100

    static func main() throws {
        guard AllocationCounting_works == 1 else { return print("unsupported 0") }
        let lab = try Lab()
        print("lookup", try lookup(lab))
        let path = Path()
        path.expect(.satisfied)
        print("event", try event(lab, path))
        print("irrelevant", try irrelevant(lab, path))
    }

    private static func count(_ body: () throws -> Void) rethrows -> Int {
        let before = AllocationCounting_total()
        try body()
        return AllocationCounting_total() - before
    }

    private static func perRepetition(_ total: Int) -> Int { (total + repetitions - 1) / repetitions }

    /// One lookup in the kernel, with its answer.
    private static func lookup(_ lab: Lab) throws -> Int {
        let question = RouteLookup(to: NetworkAddress(192, 0, 2, 7))
        _ = try lab.kernel.route(question)
        return perRepetition(
            try count { for _ in 0..<repetitions { _ = try lab.kernel.route(question) } })
    }

    /// The default route is deleted or added, up to the call of one monitor's handler.
    private static func event(_ lab: Lab, _ path: Path) throws -> Int {
        AllocationCounting_leaveOutThisThread(1)
        func flip(_ times: Int) throws {
            for _ in 0..<times {
                try lab.deleteDefault()
                path.expect(.unsatisfied)
                try lab.addDefault()
                path.expect(.satisfied)
            }
        }
        try flip(5)
        return perRepetition(try count { try flip(repetitions / 2) })
    }

    /// A message about a link that does not affect the path.
    private static func irrelevant(_ lab: Lab, _ path: Path) throws -> Int {
        AllocationCounting_leaveOutThisThread(1)
        func flip() throws {
            try lab.deleteDefault()
            path.expect(.unsatisfied)
            try lab.addDefault()
            path.expect(.satisfied)
        }
        let flipAlone = try count { try flip() }
        let total = try count {
            for number in 0..<repetitions {
                try lab.changeNothingThatMatters(number)
                // clock: the watcher handles them one by one, and nothing reports that it has.
                usleep(500)
            }
            // A later event has been delivered, so these have been handled too.
            try flip()
        }
        return perRepetition(max(0, total - flipAlone))
    }
}

/// One monitor, and the last path that its handler received.
private final class Path: Sendable {
    private let monitor = NWPathMonitor()
    private let came = DispatchSemaphore(value: 0)

    init() {
        monitor.pathUpdateHandler = { [came] _ in came.signal() }
        monitor.start(queue: DispatchQueue(label: "handlers"))
    }

    /// Waits for a path of this status.
    func expect(_ status: NWPath.Status) {
        repeat { came.wait() } while monitor.currentPath.status != status
    }
}

/// The namespace's only uplink.
private final class Lab {
    var kernel: RouteNetlink
    private let link: Int32
    private let gateway = NetworkAddress(192, 0, 2, 1)

    init() throws {
        kernel = try RouteNetlink()
        try kernel.setLink(1, up: true)
        try kernel.createLink(.veth(name: "up0", peer: "far0"))
        link = try kernel.link(named: "up0").index
        if let prefix = NetworkPrefix("192.0.2.2/24") { try kernel.addAddress(prefix, to: link) }
        try kernel.setLink(kernel.link(named: "far0").index, up: true)
        try kernel.setLink(link, up: true)
        // clock: the program has no subscription yet.
        while try !kernel.link(named: "up0").flags.contains(.running) { usleep(1000) }
        try addDefault()
    }

    func addDefault() throws { try kernel.addRoute(NewRoute(.all(.ipv4), via: gateway)) }

    func deleteDefault() throws { try kernel.deleteRoute(NewRoute(.all(.ipv4), via: gateway)) }

    /// Makes a change that the kernel announces, but that does not affect routing.
    func changeNothingThatMatters(_ number: Int) throws {
        try kernel.setLink(link, startsDormant: number % 2 == 0)
    }
}
#else
@main
enum AllocationProbe {
    static func main() { print("unsupported 0") }
}
#endif
