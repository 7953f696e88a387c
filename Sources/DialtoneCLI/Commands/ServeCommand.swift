//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone
import DialtoneHistory
import DialtoneServer
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// `dialtone serve`: the dashboard, the history and the metrics.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show the connection on a page in a browser, keep its history, and serve metrics.",
        discussion: """
            No root is needed. Only this machine can connect, unless --listen says otherwise, and then only who knows the \
            token. Ctrl-C, or SIGTERM, ends it. Exit status: 0 after that; 64 wrong usage; 70 it cannot serve.
            """)

    @Option(help: ArgumentHelp("Where to listen; port 0 is any that is free.", valueName: "address:port"))
    var listen = "127.0.0.1:4780"

    @Option(
        help: ArgumentHelp("Watch the reachability of this host, too. May be repeated.", valueName: "host"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp(
            "A further name by which browsers may call the server, such as that of a proxy. May be repeated.",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp("A file with the token that others than this machine must know.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Where the history is kept; else $STATE_DIRECTORY, $XDG_STATE_HOME/dialtone or ~/.local/state/dialtone.",
            valueName: "directory"))
    var dataDir: String?

    @Option(help: ArgumentHelp("What the button on the page asks for.", valueName: "url"))
    var requestURL = ServerConfiguration.standardRequestURL

    @Option(help: ArgumentHelp("How often the Internet is checked while it answers.", valueName: "seconds"))
    var interval: Double = 60

    @Option(help: "How much is logged: trace, debug, info, notice, warning, error or critical.")
    var logLevel = LogLevel.info

    @Flag(help: "Let visitors type hosts, and play networks to see every state.")
    var demo = false

    @Flag(help: "Send no packet on its own: follow only the path.")
    var passive = false

    @OptionGroup var interfaces: InterfaceOptions
    @OptionGroup var checks: CheckOptions
    @OptionGroup var files: SettingsOptions

    func validate() throws {
        guard interval > 0, interval <= 86_400 else {
            throw ValidationError("--interval is a number of seconds, more than 0 and at most 86400.")
        }
    }

    @MainActor
    func run() async throws {
        Console.ignoreBrokenPipes()
        let configuration = try serverConfiguration()
        let filter = try interfaces.filter(mayBeMissing: true)
        let directory = try dataDirectory()
        let logger = Logger(label: "dialtone") { _ in LogfmtHandler(level: logLevel.level) }
        let history = await HistoryStore.open(at: directory, configuration: historyConfiguration(logger))
        let check = InterfaceBoundCheck(try files.check(checks), isBound: !interfaces.isEmpty)
        let recorded = RecordedCheck(check, in: history)
        let monitor = try makeMonitor(filter, passive ? nil : recorded)
        let server: DialtoneServer
        do throws(ServerError) {
            server = try DialtoneServer(
                configuration, monitor: monitor, paths: SystemPathSource(filter), history: history, checks: recorded,
                logger: logger)
        } catch {
            await history.close()
            Console.explain("dialtone: \(Printable.text(error.description))")
            throw (error.code == .system || error.code == .portInUse ? ExitStatus.internalError : .usage).exit
        }
        try? Console.print("Serving on http://\(server.address)/")
        var group = ServiceGroupConfiguration(
            services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: Self.quiet)
        group.maximumGracefulShutdownDuration = .seconds(15)
        try await ServiceGroup(configuration: group).run()
    }

    /// What the service group has to say is said by the server itself.
    private static let quiet = Logger(label: "dialtone.services") { _ in SwiftLogNoOpLogHandler() }

    private func serverConfiguration() throws -> ServerConfiguration {
        do {
            var configuration = ServerConfiguration(
                listen: try ListenAddress(parsing: listen), requestURL: requestURL)
            configuration.allowedHosts = allowHost
            configuration.token = try token()
            configuration.isDemo = demo
            configuration.version = DialtoneCommand.configuration.version
            configuration.hosts = try host.map(target)
            return configuration
        } catch let error as ServerError {
            throw ValidationError(Printable.text(error.description))
        }
    }

    private func target(_ text: String) throws -> HostTarget {
        do throws(HostTargetError) {
            return try HostTarget(text)
        } catch {
            throw ValidationError("--host: " + Printable.text(error.description) + ".")
        }
    }

    private func token() throws -> String? {
        guard let tokenFile else { return nil }
        guard let file = FileHandle(forReadingAtPath: tokenFile) else {
            throw ValidationError("--token-file: '\(Printable.text(tokenFile))' cannot be read.")
        }
        defer { try? file.close() }
        return String(decoding: try file.read(upToCount: 4096) ?? Data(), as: UTF8.self)
    }

    private func dataDirectory() throws -> URL {
        if let dataDir { return URL(filePath: dataDir, directoryHint: .isDirectory) }
        guard let standard = HistoryLocation.standard(environment: ProcessInfo.processInfo.environment) else {
            throw ValidationError("No home directory is known: say where to keep the history, --data-dir DIRECTORY.")
        }
        return standard
    }

    private func historyConfiguration(_ logger: Logger) -> HistoryConfiguration {
        var configuration = HistoryConfiguration()
        configuration.onNotice = { notice in logger.warning("history", metadata: ["notice": "\(notice)"]) }
        return configuration
    }

    private func makeMonitor(_ filter: PathFilter, _ checker: RecordedCheck?) throws -> ConnectivityMonitor {
        var configuration = ConnectivityMonitor.Configuration()
        configuration.interval = .seconds(interval)
        configuration.firstRetry = min(configuration.firstRetry, configuration.interval)
        do {
            return try ConnectivityMonitor(configuration, paths: SystemPathSource(filter), checker: checker)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

/// How much is logged.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error, critical

    /// The same in the words of swift-log.
    var level: Logger.Level {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }
}
