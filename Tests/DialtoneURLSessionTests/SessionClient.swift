// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import Synchronization
import TestSupport

extension CommandRun.Program {
    /// The client program of these tests.
    static var sessionClient: CommandRun.Program { built("SessionClient") }

    /// The client program that imports only Foundation.
    static var appleSessionClient: CommandRun.Program { built("AppleSessionClient") }
}

/// A network with a server, and requests made inside it.
struct SessionLab {
    let network: RoutedLab
    let server: TestServer

    init(answer: @escaping @Sendable (TestServer.Request) -> TestServer.Answer = Self.answer) throws {
        network = try RoutedLab()
        server = try TestServer(in: network.internet, answer: answer)
    }

    /// Answers the checks of the Internet too.
    @Sendable private static func answer(_ request: TestServer.Request) -> TestServer.Answer {
        // Each check has a different query.
        switch request.path.prefix(while: { $0 != "?" }) {
        case "/generate_204": .respond(status: 204, body: "")
        case "/success.txt": .respond(status: 200, body: "success")
        default: .respond(status: 200, body: "hello")
        }
    }

    /// Starts a request in one of the client's styles.
    func request(_ style: String, _ options: String..., path: String = "/") async throws -> CommandRun {
        let url = "http://203.0.113.1\(path)"
        return try await CommandRun.start(.sessionClient, [style, url] + options, in: network.client)
    }
}

/// A network whose server has the name `server.example`, with a name server on the Internet.
final class NamedLab: Sendable {
    let network: RoutedLab
    let server: TestServer
    let names = ScriptedResolver(otherwise: .addresses("203.0.113.1"))
    private let nameServer: ScriptedNameServer
    private let mounts: OwnMounts

    init(nameServer address: String = "203.0.113.53") async throws {
        let lab = try SessionLab()
        (network, server) = (lab.network, lab.server)
        nameServer = try await network.internet.run { [names] in
            try ScriptedNameServer(playing: names, address: "203.0.113.53")
        }
        mounts = try await OwnMounts(nameServer: address)
    }

    /// Starts a request in one of the client's styles.
    func request(_ style: String, _ options: String..., host: String = "server.example") async throws -> CommandRun {
        try await CommandRun.start(
            mounts.program, mounts.arguments(.sessionClient, [style, "http://\(host)/"] + options),
            in: network.client)
    }
}

/// Returns true only on the first call.
final class Once: Sendable {
    private let isTaken = Atomic(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
#endif
