// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A parsed response.
struct Reply: Sendable {
    let status: Int
    let fields: [String: String]
    let body: String

    init(_ text: String) {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].components(separatedBy: "\r\n")
        status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        fields = Dictionary(
            lines.dropFirst().compactMap { line in
                let pair = line.split(separator: ":", maxSplits: 1)
                return pair.count == 2
                    ? (pair[0].lowercased(), pair[1].trimmingCharacters(in: .whitespaces)) : nil
            }, uniquingKeysWith: { first, _ in first })
        body = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The object in the body.
    var object: [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
    }
}

extension RawClient {
    /// Sends one request over its own connection.
    static func ask(
        _ port: UInt16, _ method: String = "GET", _ target: String, _ fields: [String: String] = [:], body: String = ""
    ) async throws -> Reply {
        let client = try RawClient(port)
        try client.send(text(port, method, target, ["Connection": "close"].merging(fields) { $1 }, body))
        return Reply(try await client.readToEnd())
    }

    /// Submits a form, as the page of the server at this port does.
    static func submit(
        _ port: UInt16, _ target: String, _ form: String, _ fields: [String: String] = [:]
    ) async throws -> Reply {
        let own = ["Origin": "http://127.0.0.1:\(port)", "Content-Type": "application/x-www-form-urlencoded"]
        return try await ask(port, "POST", target, own.merging(fields) { $1 }, body: form)
    }

    static func text(
        _ port: UInt16, _ method: String, _ target: String, _ fields: [String: String] = [:], _ body: String = ""
    ) -> String {
        var all = ["Host": "127.0.0.1:\(port)"]
        if !body.isEmpty { all["Content-Length"] = "\(body.utf8.count)" }
        all.merge(fields) { $1 }
        let lines = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
        return "\(method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n\(body)"
    }
}
