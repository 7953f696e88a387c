// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CTestSupport
import Dialtone
import Dispatch
import Foundation
import OpenNetwork
import OpenSystemConfiguration

/// Watches the path, forks once it is known, and prints what the child sees.
///
/// The argument selects the child's means: `read`, `flags`, `current` or `handler`. The exit status is the child's.
@main enum ForkedChild {
    static func main() {
        // Both the parent and the child: a child that hangs must not stay.
        alarm(60)
        let monitor = NWPathMonitor()
        let first = DispatchSemaphore(value: 0)
        monitor.pathUpdateHandler = { _ in first.signal() }
        monitor.start(queue: DispatchQueue(label: "parent"))
        first.wait()
        waitUntilOthersSleep()

        let child = CTest_fork()
        guard child == 0 else { exit(status(of: child)) }
        alarm(60)
        run(CommandLine.arguments.last ?? "")
        _exit(0)
    }

    private static func run(_ means: String) {
        switch means {
        case "read": say(NetworkPath.read().status)
        case "flags":
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            var flags = SCNetworkReachabilityFlags()
            withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    guard let target = SCNetworkReachabilityCreateWithAddress(nil, address) else { return }
                    _ = SCNetworkReachabilityGetFlags(target, &flags)
                }
            }
            say(flags.contains(.reachable) ? "reachable" : "not reachable")
        case "current":
            let monitor = NWPathMonitor()
            monitor.start(queue: DispatchQueue(label: "child"))
            for status: NWPath.Status in [.satisfied, .unsatisfied] {
                // clock: there is no event to wait for, because without Dispatch's threads no handler runs.
                while monitor.currentPath.status != status { usleep(10_000) }
                say(status)
            }
        default:
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { say($0.status) }
            monitor.start(queue: .main)
            while RunLoop.main.run(mode: .default, before: .distantFuture) {}
            dispatchMain()
        }
    }

    /// Waits until no other thread runs.
    ///
    /// The child would inherit the locks that another thread holds at that moment, such as those of Swift's runtime.
    private static func waitUntilOthersSleep() {
        let own = "\(getpid())"
        while true {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let areAsleep = threads.allSatisfy { thread in
                let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
                return thread == own || status?.contains("State:\tS") == true
            }
            if areAsleep { return }
            // clock: the kernel does not report that a thread sleeps.
            usleep(1000)
        }
    }

    private static func status(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Writes a line without the parent's buffers.
    private static func say(_ value: some Any) {
        let line = Array("\(value)\n".utf8)
        _ = write(1, line, line.count)
    }
}
#else
@main enum ForkedChild {
    static func main() {}
}
#endif
