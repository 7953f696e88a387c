// SPDX-License-Identifier: Apache-2.0

import DialtoneURLSession
import SystemSupport

/// A thousand concurrent requests, each with its own session, so that only the waiting room limits them.
final class Crowd: Sendable {
    private let url: URL
    private let waiting = Mutex(0)
    private static let size = 1000

    init(url: URL) { self.url = url }

    func run() async throws {
        // The test counts concurrent requests, however slow the machine is.
        try WaitingRoom.shared.configure(.init(startLimit: .seconds(3600)))
        let done = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<Self.size {
                group.addTask { await self.request() }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        SessionClient.say("\(done) of \(Self.size) done")
    }

    /// The number of threads that read kernel events: one for all monitors that share it.
    private static var kernelMonitors: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.filter { task in
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name?.trimmingCharacters(in: .whitespacesAndNewlines) == "dialtone.kernel"
        }.count
    }

    private func request() async -> Bool {
        let result = try? await withConnectivity(WaitingPolicy(maximumAttempts: 1)) { _ in
            let count = waiting.withLock { count in
                count += 1
                return count
            }
            if count == Self.size {
                SessionClient.say("\(Self.kernelMonitors) monitor of the kernel")
                SessionClient.say("all wait")
            }
            return .keepWaiting
        } operation: {
            let session = URLSession(configuration: .ephemeral)
            defer { session.invalidateAndCancel() }
            return try await session.data(from: url)
        }
        return (result?.1 as? HTTPURLResponse)?.statusCode == 200
    }
}
