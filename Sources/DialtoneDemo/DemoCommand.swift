// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import DialtoneAgent
import DialtoneHistory
import DialtoneServer
import Foundation

/// The page of `dialtone serve` with simulated networks: a program for development, which is not installed.
@main
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "DialtoneDemo", abstract: "Serve the dashboard with simulated networks, which visitors choose.",
        discussion: """
            It has the options of dialtone serve, but no token, TLS, hooks and collector. The history is in a temporary directory, \
            unless --data-dir names one. Visitors' hosts are neither stored nor connected to. Ctrl-C stops it.
            """)

    @OptionGroup var options: ServeOptions

    static func main() { runProgram() }

    func run() async throws {
        #if canImport(Darwin)
        guard #available(macOS 14, *) else { throw ValidationError("the demo needs macOS 14 or later") }
        try await serve()
        #else
        // The server handles many clients at once, so it uses Swift's thread pool.
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await serve() }
        #endif
    }

    @available(macOS 14, *)
    private func serve() async throws {
        Console.ignoreBrokenPipes()
        let settings = try options.reader.read()
        let temporary = FileManager.default.temporaryDirectory.appending(path: "dialtone-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: temporary) }
        let chosen = settings.dataDirectory.flatMap { $0.origin.isOption ? URL(filePath: $0.value) : nil }
        let history = await HistoryStore.open(at: chosen ?? temporary)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let handler = Signals(onReload: {}) { stop.yield() }
        defer { withExtendedLifetime(handler) {} }
        let recorded = RecordedCheck(settings.check(), in: history)
        let monitor = try ConnectivityMonitor(
            settings.monitoring(beating: .init()), paths: SystemPathSource(),
            checker: settings.isPassive ? nil : recorded)
        let agent = try Agent(try agentConfiguration(settings), monitor: monitor, history: history, checks: recorded)
        let server = try DialtoneServer(try configuration(settings), of: agent, scenes: try DemoScenes())
        let stopping = Task { for await _ in stops { server.stop() } }
        defer { stopping.cancel() }
        try? Console.print(server.status)
        try await server.run()
    }

    private func agentConfiguration(_ settings: Settings) throws -> AgentConfiguration {
        var configuration = AgentConfiguration()
        configuration.proxies = settings.check().configuration.proxies
        configuration.hosts = try (settings.hosts?.value ?? []).map { try WatchedHost($0) }
        if let interval = settings.hostInterval { configuration.hostInterval = interval }
        configuration.isPassive = settings.isPassive
        return configuration
    }

    private func configuration(_ settings: Settings) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        if let addresses = settings.listen?.value {
            configuration.listen = try addresses.map { try ListenAddress(parsing: $0) }
        }
        if let url = settings.requestURL?.value {
            configuration.request = try ServerConfiguration.request(parsing: url)
        }
        configuration.version = dialtoneVersion
        return configuration
    }
}
