// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import SystemSupport

/// `dialtone wait`: ends once there is a path, the Internet, or a host.
struct WaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until there is a path, the Internet, or a host.",
        discussion: """
            Exits with 0 as soon as the target is reachable, and with 124 after --timeout. By default it waits for a path \
            and sends nothing: a network without Internet, such as an intranet or one with a login page, has a path too. \
            --for internet waits until requests to the Internet are answered. The interface need not exist yet. If the \
            network state cannot be read, a path is assumed.
            """)

    @OptionGroup var options: WaitOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The time limit of the wait; none by default.", valueName: "seconds"))
    var timeout: Seconds?

    func run() async throws {
        Console.ignoreBrokenPipes()
        let target = try options.target()
        let policy = WaitingPolicy(target, deadline: timeout?.duration, backoff: .ofCommands(within: timeout?.duration))
        let line = WaitingLine(target: target, isQuiet: options.quiet)
        let place = try WaitContext(options, within: timeout?.duration)
        let received = Mutex<Int32?>(nil)
        let waiting = startCommandTask {
            let progress = place.show(on: line, policy)
            defer { progress.cancel() }
            try await withConnectivity(policy, in: place.room) { reason in
                line.show(reason)
                return .keepWaiting
            } operation: {
            }
        }
        let signals = Signals(Signals.all) { number, _ in
            received.withLock { $0 = number }
            waiting.cancel()
        }
        defer { withExtendedLifetime(signals) {} }
        do {
            try await waiting.value
            line.clear()
            line.noteMissingNames(place.monitor.current)
        } catch let error as WaitingError {
            line.printTimeout(after: timeout?.duration, error)
            throw ExitStatus.timedOut.exit
        } catch is CancellationError {
            line.clear()
            Signals.endProcess(by: received.withLock(\.self) ?? 15)
        }
    }
}

extension WaitingPolicy.Backoff {
    /// A user or a script is waiting, so a host is checked every few seconds, without growing intervals.
    static func ofCommands(within deadline: Duration?) -> WaitingPolicy.Backoff {
        WaitingPolicy.Backoff(first: min(.seconds(1), deadline ?? .seconds(1)), longest: .seconds(5))
    }
}
