// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Source as written for Apple platforms: it imports Foundation alone.
final class Delegate: NSObject, URLSessionDataDelegate {
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        say("waiting")
    }
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

@main
struct AppleSessionClient {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[2]) else {
            return say("usage: AppleSessionClient STYLE URL")
        }
        if arguments[1] == "rounds" { return await cancelAllButOne(URLSession(configuration: .default), url) }
        do {
            let (data, response) = try await session(arguments[1]).data(from: url)
            say("status \((response as? HTTPURLResponse)?.statusCode ?? 0) \(String(decoding: data, as: UTF8.self))")
        } catch let error as URLError {
            say(error.code == .notConnectedToInternet ? "offline" : "error \(error.code.rawValue)")
        } catch {
            say("error \(error)")
        }
    }

    /// Makes four requests at the same time, and cancels the others when one has succeeded, many times.
    static func cancelAllButOne(_ session: URLSession, _ url: URL) async {
        for _ in 0..<300 * (Int(ProcessInfo.processInfo.environment["DIALTONE_ROUNDS"] ?? "") ?? 1) {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 { group.addTask { (try? await session.data(from: url)) != nil } }
                for await isLoaded in group where isLoaded {
                    group.cancelAll()
                    break
                }
            }
        }
        say("rounds end")
    }

    static func session(_ style: String) -> URLSession {
        switch style {
        case "default": return URLSession(configuration: .default)
        case "ephemeral": return URLSession(configuration: .ephemeral)
        case "waiting":
            let configuration = URLSessionConfiguration.default
            configuration.waitsForConnectivity = true
            return URLSession(configuration: configuration, delegate: Delegate(), delegateQueue: nil)
        default: return URLSession.shared
        }
    }
}
