// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import DialtoneTesting
import Foundation
import Netlink
import SystemSupport
import TestSupport
import Testing

/// Requests to real servers whose TLS handshake fails before a certificate has arrived.
@Suite(.requires(.networkNamespaces), .requires(.mounts), .timeLimit(.minutes(5)))
struct HandshakeSessionTests {
    /// What the server does with a connection, and the code that a request must report.
    enum Server: String, CaseIterable {
        case closes, closesAfterHello, resets, resetsAfterHello, sendsAlert, sendsText

        var code: Int { self == .resets || self == .resetsAfterHello ? -1005 : -1200 }

        var readsHello: Bool { self != .closes && self != .resets }

        var answer: [UInt8] {
            switch self {
            // A fatal alert: handshake_failure.
            case .sendsAlert: [21, 3, 3, 0, 2, 2, 40]
            case .sendsText: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
            default: []
            }
        }

        /// Handles a connection.
        func serve(_ connection: Int32) {
            var bytes = [UInt8](repeating: 0, count: 4096)
            if readsHello { _ = recv(connection, &bytes, bytes.count, 0) }
            _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
            if self == .resets || self == .resetsAfterHello {
                var option = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            } else {
                // Bytes that were not read would make the kernel reset the connection.
                shutdown(connection, Int32(SHUT_WR))
                while recv(connection, &bytes, bytes.count, 0) > 0 {}
            }
            close(connection)
        }
    }

    @Test(arguments: Server.allCases, [["--no-wait", "--fail"], ["-", "-"]])
    func `a handshake that fails without a certificate has its own code`(
        server: Server, options: [String]
    ) async throws {
        let network = try RoutedLab()
        let internet = try await network.internet.run {
            try ScriptedInternet(.online, address: "203.0.113.1", httpPort: 80, httpsPort: 8443)
        }
        let listener = try TCPListener("203.0.113.1", port: 443, in: network.internet)
        listener.serve { server.serve($0) }
        try await network.join()
        let run = try await CommandRun.start(
            .sessionClient, ["data", "https://203.0.113.1/", "--checks-203.0.113.1"] + options, in: network.client)
        #expect(try await run.exitStatus() == 0)
        #expect(run.output.values == ["begins", "error \(server.code) -", "ends"])
        withExtendedLifetime((internet, listener)) {}
    }
}
#endif
