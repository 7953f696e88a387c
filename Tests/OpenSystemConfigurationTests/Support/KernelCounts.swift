// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The resources of this process in the calling thread's network namespace.
struct KernelCounts {
    /// Netlink sockets.
    var sockets: Int
    /// Threads of this library; Dispatch's workers stay in the namespace where they were first needed.
    var threads: Int

    static var now: KernelCounts {
        let files = FileManager.default
        let own = try? files.destinationOfSymbolicLink(atPath: "/proc/thread-self/ns/net")
        let threads = ((try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).filter {
            let name = try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
            return name?.hasPrefix("dialtone.") == true
                && (try? files.destinationOfSymbolicLink(atPath: "/proc/self/task/\($0)/ns/net")) == own
        }
        let table = (try? String(contentsOfFile: "/proc/thread-self/net/netlink", encoding: .utf8)) ?? ""
        return KernelCounts(sockets: table.split(separator: "\n").count, threads: threads.count)
    }

    func fits(in bound: KernelCounts) -> Bool { sockets <= bound.sockets && threads <= bound.threads }
}
