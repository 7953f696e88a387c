// SPDX-License-Identifier: Apache-2.0

// A program that uses the whole library:
//   DialtoneContender hosts COUNT        COUNT host targets; a line when every one has received an update
//   DialtoneContender check PORT COUNT   COUNT checks of the Internet, one after another, against a server here
//   DialtoneContender turns COUNT        COUNT routine checks of each operator of the default endpoints
//   DialtoneContender wait COUNT         COUNT operations that wait for a path; a line when each starts

import ContenderLine
import Dialtone
import Dispatch
import Glibc
import Synchronization

@main
enum DialtoneContender {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.dropFirst().compactMap { Int($0) }) {
        case ("hosts", let numbers) where numbers.count == 1: try await hosts(numbers[0])
        case ("check", let numbers) where numbers.count == 2: try await check(numbers[0], numbers[1])
        case ("turns", let numbers) where numbers.count == 1: await turns(numbers[0])
        case ("wait", let numbers) where numbers.count == 1: await wait(numbers[0])
        default: exit(64)
        }
    }

    private static let calls = Atomic(0)
    private static let waiting = Atomic(0)

    /// Hosts of 198.18.0.0/15, which is set aside for benchmarks (RFC 2544).
    private static func hosts(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let host = try HostReachability("198.18.\(number / 250).\(number % 250 + 1)")
                group.addTask {
                    for await report in host.updates() {
                        let now = line_now()
                        let call = calls.add(1, ordering: .relaxed).newValue
                        guard call % count == 0 else { continue }
                        line_write(now, call == count ? "first" : "change", report.error == nil ? "up" : "down")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func check(_ port: Int, _ count: Int) async throws {
        var configuration = InternetCheck.Configuration(
            endpoints: [.init("http://127.0.0.1:\(port)/", isPublic: false)], captivePortalAPI: .off)
        configuration.decisionWindow = .zero
        let check = try InternetCheck(configuration)
        line_write(line_now(), "first", "-")
        for _ in 0..<count {
            let start = line_now()
            let report = await check.run()
            line_write(line_now() - start, "took", report.state == .online ? "up" : "down")
        }
    }

    /// Checks as a monitor does while the Internet is verified; exits if a check would not be enough for that.
    private static func turns(_ count: Int) async {
        let (check, path) = (InternetCheck(), NetworkPath.read())
        for _ in 0..<count {
            for entry in check.endpointOperators {
                let report = await check.check(over: path, startingWith: entry.name)
                guard report.state == .online, report.endpoints.count == entry.urls.count else { exit(1) }
            }
        }
    }

    private static func wait(_ count: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try? await withConnectivity { _ in
                        let number = waiting.add(1, ordering: .relaxed).newValue
                        if number == count { line_write(line_now(), "first", "down") }
                        return .keepWaiting
                    } operation: {
                        line_write(line_now(), "request", "up")
                    }
                }
            }
        }
    }
}
