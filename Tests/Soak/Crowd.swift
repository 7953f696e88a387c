// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone

/// All members that watch or wait at the same time.
struct Crowd {
    private var monitors: [Member] = []
    private var hosts: [Member] = []
    private var targets: [Member] = []
    private var waiters: [Member] = []
    private var connectivity: [Member] = []
    /// Connectivity monitors that are not replaced, so that their heartbeats send more than the first packets.
    private let lasting: [Member]
    private let room: WaitingRoom
    private(set) var made = 0

    /// Creates every member.
    init(of size: Int) throws {
        room = try WaitingRoom(ConnectivityMonitor(.init(), checker: nil))
        lasting = (0..<size / 100).map { _ in .connectivity() }
        for _ in 0..<size {
            monitors.append(.monitor())
            waiters.append(.waiter(in: room))
        }
        for _ in 0..<size / 2 {
            hosts.append(.host())
            targets.append(.target())
        }
        for _ in 0..<size / 20 { connectivity.append(.connectivity()) }
        made = size * 3 + size / 20 + lasting.count
    }

    /// Drops one member of each kind and creates another.
    mutating func turnOver() {
        Self.replace(&monitors, by: .monitor())
        Self.replace(&hosts, by: .host())
        Self.replace(&targets, by: .target())
        Self.replace(&waiters, by: .waiter(in: room))
        Self.replace(&connectivity, by: .connectivity())
        made += 5
    }

    /// Drops every member.
    func leave() {
        for member in all { member.drop() }
    }

    /// The number of members of each kind that have not reported the network's state yet; empty when all have.
    func whoDisagrees(isUp: Bool) -> [String: Int] {
        let kinds = [
            "monitors": monitors, "hosts": hosts, "targets": targets, "waiters": waiters,
            "connectivity": connectivity + lasting,
        ]
        return kinds.mapValues { members in members.count { !$0.agrees(isUp) } }.filter { $0.value > 0 }
    }

    private var all: [Member] { monitors + hosts + targets + waiters + connectivity + lasting }

    private static func replace(_ members: inout [Member], by new: Member) {
        guard let place = members.indices.randomElement() else { return }
        members[place].drop()
        members[place] = new
    }
}
#endif
