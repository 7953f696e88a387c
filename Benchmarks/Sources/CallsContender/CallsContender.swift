// SPDX-License-Identifier: Apache-2.0

// The least that a program in Swift takes that makes the system calls of Dialtone: C queries the kernel, and Swift calls
// a handler on a queue. There is no table, no snapshot and no path.

import ContenderLine
import Dispatch

@main
enum CallsContender {
    static func main() {
        let queue = DispatchQueue(label: "handlers")
        let delivery = DispatchQueue(label: "delivery", target: queue)
        let (events, requests) = (calls_open_events(), calls_open_requests())
        line_write_path(line_now(), true, calls_ask(events, requests))
        while true {
            calls_await(events)
            let isUp = calls_ask(events, requests)
            delivery.async { line_write_path(line_now(), false, isUp) }
        }
    }
}
