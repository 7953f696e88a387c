// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import TestSupport
import Testing

@testable import CommandSupport

/// The hooks in `Examples/hooks`, with stubs of the programs that they call.
@Suite(.real)
struct ExampleHookTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Examples/hooks")

    /// The transition that ends an outage, with a message of the network.
    private static let variables: [String: String] = {
        var sequence = TransitionSequence()
        let values = [(ConnectivityState.noInternet, 0.0), (.online, 720)].map {
            Transition(
                state: $0, reason: $0 == .online ? nil : "$(reboot) \"a\" @file", interface: "eth0",
                time: Date(timeIntervalSince1970: 1_800_000_000 + $1), uptime: $1)
        }
        let transitions = values.compactMap { sequence.next($0) }
        return transitions.last.map { HookRun(event: $0, previous: .noInternet).variables } ?? [:]
    }()

    /// Runs a hook, and returns the arguments and the input of each program that it calls.
    ///
    /// - Parameter isReachable: whether these programs succeed.
    private func calls(
        of hook: String, command: String? = nil, variables: [String: String] = variables, isReachable: Bool = true
    ) async throws -> String {
        let stubs = FileManager.default.temporaryDirectory.appending(path: "dialtone-stubs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: stubs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: stubs) }
        for name in ["curl", "sendmail", "mosquitto_pub", "notify-send"] {
            let input = (name == "sendmail" ? "; cat" : "") + (isReachable ? "" : "; exit 6")
            try writeScript(
                "printf '\(name)'; printf ' <%s>' \"$@\"; echo\(input)", to: stubs.appending(path: name).path)
        }
        let arguments = command.map { ["-c", $0] } ?? [Self.folder.appending(path: hook).path]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let run = try CommandRun(
            CommandRun.Program(path: "/bin/sh"), arguments,
            environment: variables.merging(["PATH": "\(stubs.path):\(path)"]) { $1 })
        #expect(try await run.exitStatus() == 0, "\(run.errors.values)")
        return run.output.values.joined(separator: "\n")
    }

    private var message: String { Self.variables["DIALTONE_MESSAGE"] ?? "" }

    @Test func `ntfy gets the message of an outage as it is`() async throws {
        let call = try await calls(of: "ntfy")
        #expect(message.contains("$(reboot) \"a\" @file"))
        #expect(call.contains("<--data-raw> <\(message)>") && call.hasSuffix("<https://ntfy.sh/TOPIC>"), "\(call)")
    }

    @Test func `mail has a subject and the message`() async throws {
        let call = try await calls(of: "mail")
        #expect(call.hasPrefix("sendmail <-t>\nTo: ADDRESS\nSubject: ") && call.contains(": online\n"), "\(call)")
        #expect(call.contains("\n\n\(message)\n"))
    }

    @Test func `the webhook has every value as a field`() async throws {
        let call = try await calls(of: "webhook")
        for field in ["state=online", "cause=", "interface=eth0", "message=\(message)", "outage_seconds=720"] {
            #expect(call.contains("<--data-urlencode> <\(field)>"), "\(call)")
        }
    }

    @Test(arguments: ["webhook", "mail", "mqtt"])
    func `each of 20 outages is reported at its end, and at its beginning if the receiver is near`(hook: String)
        async throws
    {
        var sequence = TransitionSequence()
        var transitions: [Transition] = []
        for number in 0..<40 {
            let isEnd = number % 2 == 1
            let seconds = 60 * Double(number)
            let seen = Transition(
                state: isEnd ? .online : .noInternet, reason: isEnd ? nil : "Nothing answers.", interface: "eth0",
                time: Date(timeIntervalSince1970: 1_800_000_000 + seconds), uptime: seconds)
            if let transition = sequence.next(seen) { transitions.append(transition) }
        }
        #expect(transitions.count == 40)
        for transition in transitions {
            let variables = HookRun(event: transition).variables
            let isEnd = transition.state == .online
            let message = try #require(variables["DIALTONE_MESSAGE"])
            #expect(message.contains("for 1 min from") == isEnd)
            // An attempt that fails at the beginning is no failure of the hook.
            let isNear = transition.number % 4 < 2
            let call = try await calls(of: hook, variables: variables, isReachable: isEnd || isNear)
            if isEnd || isNear { #expect(call.contains(message), "\(call)") }
        }
    }

    @Test func `MQTT has a description of each sensor, as JSON, and its value`() async throws {
        let lines = try await calls(of: "mqtt").split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        for line in lines.prefix(2) {
            let json = try #require(line.split(separator: "<").last?.dropLast())
            let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let topic = try #require(object["state_topic"] as? String)
            #expect(lines.suffix(2).contains { $0.contains("<-t> <\(topic)>") })
        }
        #expect(lines[2].hasSuffix("<ON>") && lines[3].hasSuffix("<\(message)>"), "\(lines)")
    }

    @Test func `the desktop's unit shows the message, and not the first state`() async throws {
        let unit = try String(
            contentsOf: Self.folder.appending(path: "dialtone-desktop.service"), encoding: .utf8)
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        let command = String(try #require(line.split(separator: "'").last)).replacing("$$", with: "$")
        #expect(
            try await calls(of: "", command: command)
                == "notify-send <--app-name=Dialtone> <--> <Internet> <\(message)>")
        #expect(try await calls(of: "", command: "DIALTONE_PREVIOUS_STATE=; " + command).isEmpty)
    }
}
