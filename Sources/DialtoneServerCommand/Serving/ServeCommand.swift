// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import DialtoneAgent
import DialtoneHistory
import DialtoneServer
import Foundation
import LibC
import Logging

/// `dialtone serve`: an agent, and, unless no port is to be open, a server that shows it.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = ServeOptions.command

    @OptionGroup var options: ServeOptions

    func run() async throws {
        #if canImport(Darwin)
        guard #available(macOS 14, *) else {
            Console.printError("dialtone: serve needs macOS 14 or later")
            throw ExitStatus.internalError.exit
        }
        try await serve()
        #else
        // The server handles many clients at once, so it uses Swift's thread pool.
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await serve() }
        #endif
    }

    @available(macOS 14, *)
    private func serve() async throws {
        Console.ignoreBrokenPipes()
        let reader = options.reader
        let settings = try reader.read()
        settings.applyCosts()
        let setup = ServeSetup(settings)
        if let process = options.reload { return try reload(process, try setup.dataDirectory()) }
        let agentConfiguration = try setup.agent()
        let configuration = try setup.server()
        let filter = try options.interfaces.filter(mayBeMissing: true)
        let directory = try setup.dataDirectory()
        LogWriter.standardError.configure(try setup.logLevel(), settings.logFormat)
        let logger = Logger(label: "dialtone") { _ in LogLineHandler() }
        defer { LogWriter.standardError.flush() }
        let hooks = try hookRunner(setup, logger)
        let history = HistoryStore(at: directory, configuration: historyConfiguration(logger))
        // From here on signals are caught: otherwise one could end the process before a record is written.
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        // Several signals before a reload begins cause one.
        let (requests, request) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let handler = Signals(onReload: { request.yield() }) { stop.yield() }
        defer { withExtendedLifetime(handler) {} }
        var check = settings.check()
        check.isBoundToPath = !options.interfaces.isEmpty
        let recorded = RecordedCheck(check, in: history)
        let monitor = try makeMonitor(
            settings.monitoring(beating: .init()), filter, settings.isPassive ? nil : recorded)
        let agent: Agent
        let server: DialtoneServer?
        do {
            agent = try Agent(
                agentConfiguration, monitor: monitor, history: history, checks: recorded, hooks: hooks, logger: logger)
            server =
                configuration.listen.isEmpty
                ? nil : try DialtoneServer(configuration, of: agent, logger: logger)
        } catch {
            Console.printError("dialtone: \(Printable.text("\(error)"))")
            throw (error.kind == .system ? ExitStatus.internalError : .usage).exit
        }
        // Only now, so that a server that cannot listen leaves no history.
        await history.flush()
        let status = server?.status ?? "Watching without a port"
        let reload = ServeReload(
            reader: reader, started: settings.values, agent: agent, server: server, status: status, hooks: hooks,
            logger: logger, directory: directory)
        let reloading = Task { for await _ in requests { await reload.run() } }
        defer { reloading.cancel() }
        try? Console.print(status)
        guard let server else {
            agent.start()
            logger.info("watching without a port")
            return try await agent.run(status: status) { for await _ in stops { return } }
        }
        let stopping = Task { for await _ in stops { server.stop() } }
        defer { stopping.cancel() }
        do {
            try await server.run()
        } catch let error as ServiceError {
            Console.printError("dialtone: \(Printable.text(error.description))")
            throw ExitStatus.internalError.exit
        }
    }

    /// Makes a running server reload its settings, and reports the result.
    private func reload(_ process: Int32, _ directory: URL) throws {
        switch try ReloadReply.request(of: process, in: directory) {
        case .applied(let note): if let note { Console.printError("dialtone: \(Printable.text(note))") }
        case .refused(let reason):
            Console.printError(
                "dialtone: cannot reload, so the previous settings remain in effect: \(Printable.text(reason))")
            throw ExitStatus.usage.exit
        case nil:
            Console.printError(
                "dialtone: process \(process) did not report a reload: is it a server with this --data-dir?")
            throw ExitStatus.timedOut.exit
        }
    }

    private func hookRunner(_ setup: ServeSetup, _ logger: Logger) throws -> HookRunner {
        let (files, timeLimit, shortestOutage) = try setup.hooks()
        return HookRunner(.files(files), timeLimit: timeLimit, shortestOutage: shortestOutage) { report in
            logger.log(
                level: report.result == .succeeded ? .info : .warning, "hook",
                metadata: [
                    "hook": "\(report.command)", "result": "\(report.result.rawValue)", "detail": "\(report.detail)",
                ])
        }
    }

    private func historyConfiguration(_ logger: Logger) -> HistoryConfiguration {
        var configuration = HistoryConfiguration()
        configuration.onNotice = { notice in logger.warning("history", metadata: ["notice": "\(notice)"]) }
        return configuration
    }

    private func makeMonitor(
        _ configuration: ConnectivityMonitor.Configuration, _ filter: PathFilter, _ checker: RecordedCheck?
    ) throws -> ConnectivityMonitor {
        var configuration = configuration
        configuration.firstRetry = min(configuration.firstRetry, configuration.interval)
        if checker == nil { configuration.firstValueBound = ConnectivityMonitor.pathPatience }
        do {
            return try ConnectivityMonitor(configuration, paths: SystemPathSource(filter), checker: checker)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
