// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneAgent
import DialtoneHistory
import DialtoneTesting
import Foundation
import SystemSupport

@testable import DialtoneServer

/// A server over a simulated network, on its own port, for the lifetime of the instance.
final class ServedNetwork: Sendable {
    let network = SimulatedNetwork(.wired)
    let monitor: ConnectivityMonitor
    let agent: Agent
    let server: DialtoneServer
    let history: HistoryStore
    let directory: URL
    let running: Task<Void, any Error>

    var port: UInt16 { server.addresses[0].port }

    /// - Parameter time: the time of the server; the monitor and the history have the system's.
    init(
        time: TimeSource = .system, _ change: (inout ServedConfiguration) throws -> Void = { _ in }
    ) async throws {
        var configuration = ServedConfiguration(listen: [try ListenAddress(parsing: "127.0.0.1:0")])
        configuration.limits = .patient
        try change(&configuration)
        var times = ConnectivityMonitor.Configuration.withoutJitter
        times.checkSpacing = .milliseconds(10)
        monitor = try ConnectivityMonitor(simulating: network, times)
        directory = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        history = await HistoryStore.open(at: directory)
        agent = try Agent(configuration.agent, monitor: monitor, history: history, time: time)
        server = try DialtoneServer(configuration.server, of: agent, time: time)
        running = Task { [server] in try await server.run() }
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Replaces the configuration, as SIGHUP does.
    func reload(_ new: ServedConfiguration) throws {
        try agent.reload(new.agent) { try server.reload(new.server) }
    }

    func get(_ target: String, _ fields: [String: String] = [:]) async throws -> Reply {
        try await RawClient.ask(port, "GET", target, fields)
    }

    func submit(_ target: String, _ form: String, _ fields: [String: String] = [:]) async throws -> Reply {
        try await RawClient.submit(port, target, form, fields)
    }

    /// Opens the event stream, and reads the head of the response.
    func listen(_ fields: [String: String] = [:], receiveBuffer: Int32? = nil) async throws -> RawClient {
        let client = try RawClient(port, receiveBuffer: receiveBuffer)
        try client.send(RawClient.text(port, "GET", "/events", fields))
        _ = try await client.read(until: "\r\n\r\n")
        return client
    }
}

/// The configurations of an agent and of the server that shows it.
@dynamicMemberLookup
struct ServedConfiguration {
    var agent = AgentConfiguration(machineName: "tester")
    var server: ServerConfiguration

    init(listen: [ListenAddress]) { server = ServerConfiguration(listen: listen) }

    subscript<Value>(dynamicMember path: WritableKeyPath<AgentConfiguration, Value>) -> Value {
        get { agent[keyPath: path] }
        set { agent[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<ServerConfiguration, Value>) -> Value {
        get { server[keyPath: path] }
        set { server[keyPath: path] = newValue }
    }
}

extension ServerLimits {
    /// The default limits, but hardly any on time: a test that is not about them must not depend on the load of the machine.
    static var patient: ServerLimits {
        var limits = ServerLimits()
        (limits.requestTime, limits.idleTime) = (.seconds(600), .seconds(600))
        (limits.writeTime, limits.historyTime) = (.seconds(600), .seconds(600))
        return limits
    }
}
