// SPDX-License-Identifier: Apache-2.0

import Dispatch

extension ConnectionRace {
    /// Connects to one of several addresses, given in order of preference, and waits for the result.
    ///
    /// Returns at the deadline at the latest, and at once if the task is cancelled.
    ///
    /// - Parameters:
    ///   - addresses: all addresses of one host.
    ///   - port: the TCP port.
    ///   - pace: the delays between attempts, and the deadline.
    ///   - openSocket: opens a socket for an address.
    package static func run(
        _ addresses: [NetworkAddress], port: UInt16, pace: HappyEyeballs.Pace,
        openSocket: @escaping OpenSocket
    ) async -> Ending {
        let preferred = addresses.first?.version ?? .ipv6
        let versions = preferred == .ipv6 ? [IPVersion.ipv6, .ipv4] : [.ipv4, .ipv6]
        let schedule = HappyEyeballs(families: Set(versions), preferred: preferred, pace: pace)
        // Without a dedicated thread: see `HostRace`.
        let queue = DispatchQueue(label: "dialtone.connect", target: .global())
        let runner = Runner()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    let race = ConnectionRace(port: port, schedule: schedule, on: queue, openSocket: openSocket) {
                        runner.race = nil
                        continuation.resume(returning: $0)
                    }
                    runner.race = race
                    if runner.isCancelled { race.cancel() }
                    for version in versions { race.resolved(version, addresses.filter { $0.version == version }) }
                }
            }
        } onCancel: {
            queue.async {
                runner.isCancelled = true
                runner.race?.cancel()
            }
        }
    }

    /// The state of one call.
    ///
    /// `@unchecked Sendable`: used only on the call's queue, which is serial.
    private final class Runner: @unchecked Sendable {
        var race: ConnectionRace?
        var isCancelled = false
    }
}
