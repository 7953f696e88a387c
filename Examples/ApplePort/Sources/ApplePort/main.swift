// SPDX-License-Identifier: Apache-2.0

import Combine
import Foundation
import Network
import SystemConfiguration

// Prints the path and whether two hosts are reachable by this machine's routing, then exits. No packet is sent.

let queue = DispatchQueue(label: "ApplePort")
let model = PathModel(queue: queue)
let firstPath = DispatchSemaphore(value: 0)
let watching = model.$summary
    .dropFirst()
    .first()
    .sink { summary in
        print("path: \(summary)")
        firstPath.signal()
    }
model.start(queue: queue)
guard firstPath.wait(timeout: .now() + 10) == .success else {
    print("path: no answer")
    exit(1)
}
model.stop()
watching.cancel()

for hostname in ["localhost", "198.51.100.1"] {
    guard let reachability = Reachability(hostname: hostname) else { continue }
    let firstFlags = DispatchSemaphore(value: 0)
    reachability.whenChanged = { _ in firstFlags.signal() }
    do {
        try reachability.start(queue: queue)
        _ = firstFlags.wait(timeout: .now() + 10)
        let flags = reachability.flags ?? []
        print("\(hostname): \(reachability.isReachable ? "reachable" : "not reachable") (flags \(flags.rawValue))")
    } catch {
        print("\(hostname): \(error)")
    }
    reachability.stop()
}

print("anywhere: \(Reachability()?.isReachable == true ? "reachable" : "not reachable")")
