//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Asks a name server one question over UDP (RFC 1035).
enum NameServerProbe {
    private static let port: UInt16 = 53
    /// The question is sent again when no answer has come: datagrams get lost.
    private static let interval = Duration.seconds(1)

    /// Asks for the IPv4 addresses of a name; the empty name is the root.
    ///
    /// - Returns: at once when the task is cancelled, then as if the server were silent.
    static func ask(
        _ server: HostAddress, about name: String, patience: Duration
    ) async -> LineCheckup.NameServerAnswer.Outcome {
        guard let question = NameQuery(name), let interrupt = try? Interrupt() else { return .silent }
        let deadline = ContinuousClock.now + patience
        return await withTaskCancellationHandler {
            await Background.run { exchange(question, with: server, until: deadline, interrupt) }
        } onCancel: {
            interrupt.raise()
        }
    }

    private static func exchange(
        _ question: NameQuery, with server: HostAddress, until deadline: ContinuousClock.Instant, _ interrupt: Interrupt
    ) -> LineCheckup.NameServerAnswer.Outcome {
        do throws(SocketFailure) {
            let socket = try Sockets.openSocket(server.version, .datagram)
            // Connected: only this server's datagrams come in, and its refusal does.
            try Sockets.startConnecting(socket, to: server, port: port)
            var buffer = [UInt8](repeating: 0, count: 512)
            while ContinuousClock.now < deadline {
                _ = try Sockets.sendBytes(socket, question.message[...])
                let turn = min(deadline, ContinuousClock.now + interval)
                while true {
                    let wait = Polling.wait(readable: [socket.number], until: turn, interrupt)
                    if wait.outcome == .interrupted { return .silent }
                    guard wait.outcome == .ready else { break }
                    guard let count = try Sockets.receiveBytes(socket, into: &buffer) else { continue }
                    if let code = question.responseCode(in: buffer[..<count]) { return outcome(code) }
                }
            }
            return .silent
        } catch {
            return HostError(error).code == .refused ? .refuses : .silent
        }
    }

    /// No error, and no such name, are answers; everything else is a failure.
    private static func outcome(_ responseCode: UInt8) -> LineCheckup.NameServerAnswer.Outcome {
        responseCode == 0 || responseCode == 3 ? .answers : .fails
    }
}
