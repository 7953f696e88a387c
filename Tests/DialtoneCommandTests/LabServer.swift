// SPDX-License-Identifier: Apache-2.0

import DialtoneTesting
import Foundation
import Netlink
import SystemSupport
import TestSupport

/// A run of `dialtone serve` in a lab, with its own history.
final class LabServer: Sendable {
    let run: CommandRun
    let port: UInt16
    /// The folder of the history.
    let data: URL
    private let lab: ServedLab

    /// Starts a server, and waits until it accepts connections.
    init(in lab: ServedLab, _ arguments: [String] = [], environment: [String: String] = [:]) async throws {
        self.lab = lab
        data = FileManager.default.temporaryDirectory.appending(path: "dialtone-\(UUID().uuidString)")
        let options = ["--listen", "127.0.0.1:0", "--data-dir", data.path]
        run = try await lab.run(["serve"] + options + arguments, environment: environment)
        let serving = try await run.output.next { $0.hasPrefix("Serving on ") }
        port = UInt16(serving.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0
    }

    deinit {
        run.terminate()
        try? FileManager.default.removeItem(at: data)
    }

    /// The body of the answer to a request.
    func get(_ path: String) async throws -> String {
        try await lab.network.client.run { [port] in
            let socket = try Sockets.openSocket(.ipv4, .stream)
            try Sockets.startConnecting(socket, to: NetworkAddress(127, 0, 0, 1), port: port)
            let stream = ByteStream(socket)
            let deadline = TimeSource.system.now + .seconds(60)
            let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n"
            try stream.send(Array(head.utf8), until: deadline)
            var answer: [UInt8] = []
            while case let bytes = try stream.receive(until: deadline), !bytes.isEmpty { answer += bytes }
            let text = String(decoding: answer, as: UTF8.self)
            return text.components(separatedBy: "\r\n\r\n").dropFirst().joined()
        }
    }
}
