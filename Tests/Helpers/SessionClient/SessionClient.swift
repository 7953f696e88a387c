// SPDX-License-Identifier: Apache-2.0

import DialtoneURLSession

/// The program that the tests of waiting sessions run inside a network namespace.
///
/// It makes one request as its arguments specify, and prints each event on one line.
///
/// Foundation's sockets belong to the namespace of its threads, so a test cannot make such requests from its own
/// process.
@main
struct SessionClient {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2, let url = URL(string: arguments[1]) else {
            say("usage: SessionClient STYLE URL [OPTION…]")
            return
        }
        let configuration = URLSessionConfiguration.ephemeral
        let options = Set(arguments.dropFirst(2))
        configuration.waitsForConnectivity = !options.contains("--no-wait")
        configuration.allowsCellularAccess = !options.contains("--no-cellular")
        configuration.allowsExpensiveNetworkAccess = !options.contains("--no-expensive")
        configuration.allowsConstrainedNetworkAccess = !options.contains("--no-constrained")
        #if !canImport(Darwin)
        configuration.allowsUltraConstrainedNetworkAccess = !options.contains("--no-ultra-constrained")
        if options.contains("--fail") { configuration.failsWithoutConnectivity = true }
        if let seconds = number("--loss", options) { configuration.timeoutIntervalForNetworkLoss = seconds }
        #endif
        LinkCosts.set(by: options)
        if let address = options.first(where: { $0.hasPrefix(checks) })?.dropFirst(checks.count) { check(address) }
        if let seconds = number("--resource-timeout", options) { configuration.timeoutIntervalForResource = seconds }
        if let seconds = number("--request-timeout", options) { configuration.timeoutIntervalForRequest = seconds }
        let delegate = Delegate()
        let isPlain = options.contains("--plain-delegate")
        let session = URLSession(
            configuration: configuration, delegate: isPlain ? PlainDelegate() : delegate, delegateQueue: nil)
        say("begins")
        await withTaskGroup { group in
            for _ in 0..<Int(number("--tasks", options) ?? 1) {
                group.addTask { await perform(arguments[0], url, session, delegate, options) }
            }
        }
        say("ends")
    }

    /// The number in an option such as `--loss-30`; 1 without one, and nil without the option.
    private static func number(_ option: String, _ options: Set<String>) -> TimeInterval? {
        options.first { $0 == option || $0.hasPrefix("\(option)-") }
            .map { TimeInterval($0.dropFirst(option.count + 1)) ?? 1 }
    }

    /// The option with the address of a host whose answers verify the Internet.
    private static let checks = "--checks-"

    private static func check(_ address: Substring) {
        let endpoints: [InternetCheck.Endpoint] = [
            .init("http://\(address)/generate_204"),
            .init("http://\(address)/success.txt", expecting: .body("success")),
        ]
        do {
            let configuration = InternetCheck.Configuration(endpoints: endpoints, captivePortalAPI: .off)
            try ConnectivityMonitor.configureShared(checker: InternetCheck(configuration))
        } catch {
            say("\(error)")
        }
    }

    private static func perform(
        _ style: String, _ url: URL, _ session: URLSession, _ delegate: Delegate, _ options: Set<String>
    ) async {
        do {
            switch style {
            case "shared":
                #if !canImport(Darwin)
                if options.contains("--fail") { URLSession.shared.failWithoutConnectivity() }
                #endif
                say(try await URLSession.shared.data(from: url))
            case "data": say(try await session.data(from: url))
            case "data-request":
                var request = URLRequest(url: url)
                #if !canImport(Darwin)
                request.allowsExpensiveNetworkAccess = !options.contains("--request-no-expensive")
                request.allowsConstrainedNetworkAccess = !options.contains("--request-no-constrained")
                request.allowsUltraConstrainedNetworkAccess = !options.contains("--request-no-ultra-constrained")
                #endif
                say(try await session.data(for: request))
            case "download":
                let (file, response) = try await session.download(from: url)
                say((try Data(contentsOf: file), response))
            case "upload":
                var request = URLRequest(url: url)
                request.httpMethod = "POST"
                say(try await session.upload(for: request, from: Data("uploaded".utf8)))
            case "post":
                var request = URLRequest(url: url)
                request.httpMethod = "POST"
                say(try await session.data(for: request))
            case "handler":
                let result: (Data, URLResponse) = try await withCheckedThrowingContinuation { continuation in
                    let task = session.dataTask(with: url) { data, response, error in
                        if let data, let response {
                            continuation.resume(returning: (data, response))
                        } else {
                            continuation.resume(throwing: error ?? URLError(.unknown))
                        }
                    }
                    if options.contains("--suspend") {
                        // A task that is suspended while it waits continues to wait when it is resumed.
                        task.resume()
                        task.suspend()
                    }
                    task.resume()
                }
                say(result)
            case "delegate":
                session.dataTask(with: url).resume()
                await delegate.end()
            case "cancel":
                delegate.cancelsWaits = true
                say(try await session.data(from: url))
            case "cancel-task":
                let task = Task { try await session.data(from: url) }
                delegate.onWait = { task.cancel() }
                say(try await task.value)
            case "with-get", "with-post":
                var request = URLRequest(url: url)
                if style == "with-post" {
                    request.httpMethod = "POST"
                    request.httpBody = Data("once".utf8)
                }
                var policy = WaitingPolicy(request)
                policy.backoff = WaitingPolicy.Backoff(first: .milliseconds(20), longest: .milliseconds(20))
                let result = try await withConnectivity(policy) { reason in
                    say("reason \(reason)")
                    return .keepWaiting
                } operation: { [request] in
                    try await session.data(for: request)
                }
                say(result)
            case "rounds":
                let times = Int(ProcessInfo.processInfo.environment["DIALTONE_ROUNDS"] ?? "") ?? 1
                for _ in 0..<300 * times { await cancelAllButOne(session, url) }
                say("rounds end")
            case "endless": try await EndlessRequests(url: url, session: session).run()
            case "thousand": try await Crowd(url: url).run()
            case "requester": try await RequestLoop(url: url, session: session).run()
            case "requester-default":
                var request = URLRequest(url: url)
                if let seconds = number("--request-timeout", options) { request.timeoutInterval = seconds }
                await requestByDefault(request)
            case "verified": say(try await VerifiedRequest(url: url, session: session).run())
            default: say("unknown style")
            }
        } catch let error as URLError {
            say("error \(error.code.rawValue) \(error.networkUnavailableReason.map { "\($0)" } ?? "-")")
            if options.contains("--texts") {
                say("text \(error.localizedDescription)")
                let reason = error.userInfo[NSLocalizedFailureReasonErrorKey] as? String
                say("reason \(reason ?? "-")")
                say(
                    "advice \(NetworkRequester.Outcome(RequestFailure(error), over: await PathFilter().currentPath()).advice.title)"
                )
            }
        } catch {
            say("error \(type(of: error)) \(error)")
        }
    }

    /// Sends one request as the documentation's sample does.
    private static func requestByDefault(_ request: URLRequest) async {
        let requester = NetworkRequester()
        do {
            say("\(try await requester.request([String: Int].self, for: request))")
        } catch {
            say("outcome \(error.outcome.name)")
            say("text \(error.localizedDescription)")
        }
        say("\(requester.status.state)")
    }

    /// Makes four requests at the same time, and cancels the others when one has succeeded.
    private static func cancelAllButOne(_ session: URLSession, _ url: URL) async {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { (try? await session.data(from: url)) != nil } }
            for await isLoaded in group where isLoaded {
                group.cancelAll()
                break
            }
        }
    }

    static func say(_ result: (Data, URLResponse)) {
        let status = (result.1 as? HTTPURLResponse)?.statusCode ?? 0
        say("status \(status) \(String(decoding: result.0, as: UTF8.self))")
    }

    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
