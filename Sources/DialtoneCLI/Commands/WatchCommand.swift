//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone
import FoundationEssentials

/// `dialtone watch`: the answer now, and each change as it happens.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show each change as it happens, until Ctrl-C.")

    @OptionGroup var interfaces: InterfaceOptions
    @OptionGroup var options: CheckOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "While online, check again after this long; 60 unless told otherwise. While not, sooner.",
            valueName: "seconds"))
    var interval: Double?

    mutating func validate() throws {
        if let interval, !(interval >= Self.shortestInterval && interval <= Self.longestInterval) {
            throw ValidationError(
                "--interval must be from \(Self.shortestInterval) to \(Int(Self.longestInterval)) seconds.")
        }
    }

    private static let (shortestInterval, longestInterval) = (0.1, 1e7)

    func run() async throws {
        Console.ignoreBrokenPipes()
        let monitor = try makeMonitor()
        let watching = Task { try await watch(monitor) }
        let interruption = Interruption { watching.cancel() }
        Console.whenClosed { watching.cancel() }
        defer { withExtendedLifetime(interruption) {} }
        do {
            try await watching.value
        } catch is Console.Closed {
            // Nobody reads any more: the work is done.
        }
    }

    private func makeMonitor() throws -> ConnectivityMonitor {
        var configuration = ConnectivityMonitor.Configuration()
        if let interval { configuration.interval = .seconds(interval) }
        return try MonitorMaking(interfaces: interfaces, options: options, isPassive: output.passive)
            .monitor(configuration)
    }

    private func watch(_ monitor: ConnectivityMonitor) async throws {
        if !output.json { try Console.print(style.quiet(header)) }
        var isFirst = true
        for await connectivity in monitor.updates(.everyTransition) {
            try print(connectivity, isFirst: isFirst)
            isFirst = false
        }
    }

    private func print(_ connectivity: Connectivity, isFirst: Bool) throws {
        let now = Date.now
        if output.json {
            try Console.print(StatusReport(connectivity, at: now, isStream: true).json())
            return
        }
        let headline = EvidenceWords.headline(connectivity, isPassive: output.passive)
        var line = style.quiet(LocalTime.text(now)) + "  "
        line += style.state(PlainWords.line(headline, connectivity.path), connectivity.state)
        if !isFirst {
            let changes = PlainWords.changes(connectivity.changes.map(\.rawValue))
            line += style.quiet("  (changed: \(changes))")
        }
        try Console.print(line)
    }

    private var style: Style { Style(isColored: Console.wantsColor) }

    private var header: String {
        let what =
            if let only = interfaces.interface {
                "over \(Printable.text(only)) only"
            } else if !interfaces.prohibited.isEmpty {
                "over anything but \(interfaces.prohibited.map(\.rawValue).joined(separator: ", "))"
            } else {
                "over every interface"
            }
        return "Watching the \(output.passive ? "path" : "connection") of this machine \(what). Ctrl-C ends."
    }
}
