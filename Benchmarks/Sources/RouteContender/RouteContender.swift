// SPDX-License-Identifier: Apache-2.0

// `RouteContender PORT`: a server whose one route answers with a fixed kilobyte of JSON.

import Glibc
import Hummingbird
import Logging

@main
enum RouteContender {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
        let body = ByteBuffer(string: "{\"text\":\"" + String(repeating: "x", count: 1000) + "\"}")
        let router = Router()
        router.get("/api/status") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: body))
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { _ in
                print("ready")
                fflush(nil)
            }, logger: Logger(label: "route") { _ in SwiftLogNoOpLogHandler() })
        try await application.run()
    }
}
