// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandSupport
import Dialtone
import DialtoneAgent
import DialtoneHistory
import DialtoneServer
import Dispatch
import Foundation
import NetworkSimulation

/// The page of `dialtone serve` over a simulated network: a program for development, which is not installed.
@main
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "DialtoneDemo", abstract: "Serve the dashboard of a simulated network.",
        discussion: """
            A line of standard input chooses what is simulated. The history is generated, in a temporary directory. \
            Ctrl-C stops it.
            """)

    @Option(help: "The address and the port to listen on.") var listen = "127.0.0.1:4780"
    @Option(help: "A host to watch, which is really connected to; it may be repeated.") var host: [String] = []

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
        let directory = FileManager.default.temporaryDirectory.appending(path: "dialtone-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let handler = Signals(onReload: {}) { stop.yield() }
        defer { withExtendedLifetime(handler) {} }
        await DemoHistory.record(in: directory)
        let history = await HistoryStore.open(at: directory)
        let network = SimulatedNetwork(DemoScene.online.path)
        let check = RecordedCheck(SimulatedCheck(network: network), in: history)
        var times = ConnectivityMonitor.Configuration.withoutJitter
        times.checkSpacing = .milliseconds(100)
        let monitor = try ConnectivityMonitor(simulating: network, times, checker: check)
        var watching = AgentConfiguration()
        watching.hosts = try host.map { try WatchedHost($0) }
        let agent = try Agent(watching, monitor: monitor, history: history, checks: check)
        var configuration = ServerConfiguration(listen: [try ListenAddress(parsing: listen)])
        configuration.version = dialtoneVersion
        let server = try DialtoneServer(configuration, of: agent)
        let stopping = Task { for await _ in stops { server.stop() } }
        defer { stopping.cancel() }
        try? Console.print("\(server.status)\nType a scene, and Enter: \(Demo.scenes)")
        let demo = Demo(network: network, monitor: monitor)
        DispatchQueue.global().async { demo.playLines() }
        try await server.run()
    }
}
