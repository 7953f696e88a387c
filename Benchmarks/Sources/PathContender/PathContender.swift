// SPDX-License-Identifier: Apache-2.0

// A program that uses nothing but `OpenNetwork`:
//   PathContender closure [COUNT]   COUNT monitors with handlers on one queue; a line when every handler has run
//   PathContender sequence          one monitor in a `for await` loop

import ContenderLine
import Dispatch
import OpenNetwork
import Synchronization

@main
enum PathContender {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.count > 1, arguments[1] == "sequence" {
            Task { await sequence() }
        } else {
            closure(arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1)
        }
        dispatchMain()
    }

    private static let calls = Atomic(0)

    private static func closure(_ count: Int) {
        let queue = DispatchQueue(label: "handlers")
        for _ in 0..<count {
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { path in
                let now = line_now()
                let number = calls.add(1, ordering: .relaxed).newValue
                if number % count == 0 { line_write_path(now, number == count, path.status == .satisfied) }
            }
            monitor.start(queue: queue)
        }
    }

    private static func sequence() async {
        var isFirst = true
        for await path in NWPathMonitor() {
            line_write_path(line_now(), isFirst, path.status == .satisfied)
            isFirst = false
        }
    }
}
