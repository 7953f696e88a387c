// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import DialtoneHistory
import DialtoneServer
import Foundation
import LibC
import Logging

/// `dialtone serve`: the dashboard, the history and the metrics.
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
        let reader = try options.reader()
        let settings = try reader.read()
        settings.applyCosts()
        let setup = ServeSetup(settings)
        let configuration = try setup.server()
        let filter = try options.interfaces.filter(mayBeMissing: true)
        let directory = try setup.dataDirectory()
        LogWriter.standardError.configure(try setup.logLevel(), settings.logFormat)
        let logger = Logger(label: "dialtone") { _ in LogLineHandler() }
        defer { LogWriter.standardError.flush() }
        let hooks = try hookRunner(setup, logger)
        let history = await HistoryStore.open(at: directory, configuration: historyConfiguration(logger))
        let recorded = RecordedCheck(
            InterfaceBoundCheck(settings.check(), isBound: !options.interfaces.isEmpty), in: history)
        let monitor = try makeMonitor(settings.monitoring, filter, settings.isPassive ? nil : recorded)
        let server: DialtoneServer
        do throws(ServerError) {
            server = try DialtoneServer(
                configuration, monitor: monitor, paths: SystemPathSource(filter), history: history, checks: recorded,
                // The hops of the system's choice say nothing about another interface.
                diagnostics: settings.isPassive || !options.interfaces.isEmpty
                    ? nil : NetworkDiagnostics(settings.check()),
                logger: logger, hookRuns: { hooks.counts })
        } catch {
            await history.close()
            Console.printError("dialtone: \(Printable.text(error.description))")
            throw (error.code == .system || error.code == .portInUse ? ExitStatus.internalError : .usage).exit
        }
        let observation = monitor.observe(on: .global()) { hooks.submit(HookEvent($0, at: .now)) }
        defer {
            observation.cancel()
            hooks.stop()
        }
        // Several signals before a reload begins cause one.
        let (requests, request) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let reload = ServeReload(reader: reader, started: settings.values, server: server, hooks: hooks, logger: logger)
        let reloading = Task { for await _ in requests { await reload.run() } }
        defer { reloading.cancel() }
        let handler = InterruptHandler(onReload: { request.yield() }) { server.stop() }
        defer { withExtendedLifetime(handler) {} }
        try? Console.print("Serving on \(server.url)")
        do {
            try await server.run()
        } catch let error as ServerError {
            Console.printError("dialtone: \(Printable.text(error.description))")
            throw ExitStatus.internalError.exit
        }
    }

    private func hookRunner(_ setup: ServeSetup, _ logger: Logger) throws -> HookRunner {
        let (files, timeLimit) = try setup.hooks()
        return HookRunner(.files(files), timeLimit: timeLimit) { report in
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
        do {
            return try ConnectivityMonitor(configuration, paths: SystemPathSource(filter), checker: checker)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
