// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import Synchronization
import TestSupport

extension CommandRun.Program {
    /// The client program of these tests.
    static var sessionClient: CommandRun.Program { program("SessionClient") }

    /// The client program that imports only Foundation.
    static var appleSessionClient: CommandRun.Program { program("AppleSessionClient") }

    private static func program(_ name: String) -> CommandRun.Program {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return CommandRun.Program(path: own.deletingLastPathComponent().appendingPathComponent(name).path)
    }
}

/// A network with a server, and requests made inside it.
struct SessionLab {
    let network: RoutedLab
    let server: TestServer

    init(
        answer: @escaping @Sendable (TestServer.Request) -> TestServer.Answer = { _ in
            .respond(status: 200, body: "hello")
        }
    )
        throws
    {
        network = try RoutedLab()
        server = try TestServer(in: network.internet, answer: answer)
    }

    /// Starts a request in one of the client's styles.
    func request(_ style: String, _ options: String..., path: String = "/") async throws -> CommandRun {
        let url = "http://203.0.113.1\(path)"
        return try await CommandRun.start(.sessionClient, [style, url] + options, in: network.client)
    }
}

/// Returns true only on the first call.
final class Once: Sendable {
    private let isTaken = Atomic(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
#endif
