// SPDX-License-Identifier: Apache-2.0

import Foundation

#if AsyncHTTPClient
import DialtoneAsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// What the tests of async-http-client run inside a network namespace: makes one request as its arguments say, and prints
/// each event on a line.
@main
struct AsyncClient {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard [2, 3].contains(arguments.count) else { return say("usage: AsyncClient STYLE URL [SECONDS]") }
        say("begins")
        do {
            let seconds = arguments.dropFirst(2).first.flatMap { Int64($0) }
            try await perform(arguments[0], HTTPClientRequest(url: arguments[1]), seconds.map { .seconds($0) })
        } catch let error as WaitingError {
            say("error waiting \(error.code)")
        } catch is CancellationError {
            say("error cancelled")
        } catch {
            let failure = RequestFailure(error)
            say("error \(failure.kind) \(failure.mayHaveReachedServer ? "perhaps" : "never")")
        }
        say("ends")
    }

    private static func perform(_ style: String, _ request: HTTPClientRequest, _ timeout: TimeAmount?) async throws {
        var request = request
        if style.hasPrefix("post") {
            request.method = .POST
            request.body = .bytes(ByteBuffer(string: "once"))
        }
        var policy = WaitingPolicy(request)
        policy.backoff = WaitingPolicy.Backoff(first: .milliseconds(20), longest: .milliseconds(20))
        let onWaiting: (WaitingPolicy.Obstacle) async -> WaitDecision = { reason in
            say("reason \(reason)")
            return .keepWaiting
        }
        switch style {
        case "get", "post":
            let (status, body) = try await HTTPClient.shared.execute(
                request, timeout: .seconds(30), waiting: policy, onWaiting: onWaiting
            ) { response in
                (response.status.code, try await response.body.collect(upTo: 1 << 20))
            }
            say("status \(status) \(String(buffer: body))")
        case "head":
            let response = try await HTTPClient.shared.execute(
                request, timeout: .seconds(30), waiting: policy, onWaiting: onWaiting)
            say("status \(response.status.code)")
        case "get-briefly", "post-briefly":
            // By default, a client tries to connect for as long as it may.
            var configuration = HTTPClient.Configuration.singletonConfiguration
            configuration.connectionPool.retryConnectionEstablishment = false
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            policy.maximumAttempts = 3
            do {
                _ = try await client.execute(request, timeout: .seconds(30), waiting: policy)
            } catch {
                try await client.shutdown()
                throw error
            }
            try await client.shutdown()
        case "get-soon":
            // The client's own attempts to connect end before the router answers.
            let body = try await HTTPClient.shared.execute(
                request, timeout: .milliseconds(500), waiting: policy, onWaiting: onWaiting
            ) { try await $0.body.collect(upTo: 1 << 20) }
            say("body \(String(buffer: body))")
        case "cancel":
            let task = Task { [policy, request] in
                _ = try await HTTPClient.shared.execute(
                    request, timeout: .seconds(30), waiting: policy,
                    onWaiting: { reason in
                        say("reason \(reason)")
                        withUnsafeCurrentTask { $0?.cancel() }
                        return .keepWaiting
                    })
            }
            try await task.value
        case "deadline":
            policy.deadline = .milliseconds(200)
            policy.maximumAttempts = 1
            _ = try await HTTPClient.shared.execute(request, timeout: .seconds(30), waiting: policy)
        case "requester-default":
            await requestWeather(request, timeout ?? .seconds(60), NetworkRequester(), text: true)
        case "requester", "requester-patient", "requester-sensitive":
            let monitor = try ConnectivityMonitor(ConnectivityMonitor.Configuration(), checker: nil)
            monitor.start()
            for await connectivity in monitor.updates() where !connectivity.path.isUnknown { break }
            let timeout: TimeAmount = style == "requester" ? .seconds(2) : .seconds(3600)
            var client = HTTPClient.forRequesters
            if style == "requester-sensitive" {
                // It notices a loss sooner.
                var configuration = HTTPClient.Configuration.singletonConfiguration
                configuration.closeConnectionsWithoutNetwork(after: .milliseconds(500))
                client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            }
            await requestWeather(request, timeout, NetworkRequester(monitor), client: client)
            if client !== HTTPClient.forRequesters { try await client.shutdown() }
        case "requester-full", "requester-names", "requester-none":
            // The authority that the server's certificate is from.
            let authority = ProcessInfo.processInfo.environment["AUTHORITY"] ?? ""
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authority)
            if style == "requester-none" { tls.certificateVerification = .none }
            if style == "requester-names" { tls.certificateVerification = .noHostnameVerification }
            request.tlsConfiguration = tls
            let monitor = try ConnectivityMonitor(ConnectivityMonitor.Configuration(), checker: nil)
            monitor.start()
            do {
                // The error carries the reply, because the body is not JSON.
                _ = try await NetworkRequester(monitor).request(Int.self, for: request, timeout: .seconds(30))
            } catch {
                say(error.reply.map { "authenticated \($0.isAuthenticated)" } ?? "no reply")
            }
        default: say("unknown style")
        }
    }
}

extension AsyncClient {
    private static func requestWeather(
        _ request: HTTPClientRequest, _ timeout: TimeAmount, _ requester: NetworkRequester,
        client: HTTPClient = .forRequesters, text hasText: Bool = false
    ) async {
        struct Weather: Decodable { let degrees: Int }
        do {
            let weather = try await requester.request(Weather.self, for: request, client: client, timeout: timeout)
            say("\(weather.degrees) degrees")
        } catch {
            say("outcome \(error.outcome.name)")
            if hasText { say("text \(error.localizedDescription)") }
        }
        say("\(requester.status.state)")
    }

    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
#else
@main
struct AsyncClient {
    static func main() {
        FileHandle.standardOutput.write(Data("This needs the trait AsyncHTTPClient.\n".utf8))
    }
}
#endif
