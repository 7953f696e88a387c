// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Netlink
import Synchronization
import TestSupport

/// A real headless browser, driven by the DevTools protocol over two pipes: no port, no driver.
final class Browser: Sendable {
    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    /// A message from the browser: a response or an event.
    struct Message: Sendable {
        let identifier: Int?
        let method: String?
        private let data: Data

        init(_ data: Data) {
            self.data = data
            let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
            identifier = object?["id"] as? Int
            method = object?["method"] as? String
        }

        /// The value at a path, such as `result.value`.
        subscript(path: String) -> Any? {
            path.split(separator: ".").reduce((try? JSONSerialization.jsonObject(with: data)) as Any?) { value, name in
                (value as? [String: Any])?[String(name)]
            }
        }

        var text: String { String(decoding: data, as: UTF8.self) }
    }

    private let run: CommandRun
    private let folder: URL
    private let commands: FileHandle
    private let messages = Recorder<Message>()
    private let last = Mutex(0)

    /// Starts the browser in a namespace, whose loopback it uses.
    static func start(in namespace: NetworkNamespace) async throws -> Browser {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dialtone-browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["in", "out"] {
            guard mkfifo(folder.appending(path: name).path, 0o600) == 0 else { throw Trouble(description: "mkfifo") }
        }
        let flags = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
            "--force-color-profile=srgb", "--disable-features=Translate,OptimizationHints,MediaRouter",
            "--user-data-dir=\(folder.appending(path: "profile").path)", "--remote-debugging-pipe", "about:blank",
        ]
        let run = try await CommandRun.start(
            .init(path: "/bin/sh"),
            ["-c", "exec 3<\"$0/in\" 4>\"$0/out\"; exec chromium \"$@\"", folder.path] + flags, in: namespace,
            environment: ["HOME": folder.path])
        return try Browser(run, folder)
    }

    private init(_ run: CommandRun, _ folder: URL) throws {
        self.run = run
        self.folder = folder
        // Opened for reading and writing, so that opening does not wait for the other end.
        let number = open(folder.appending(path: "in").path, O_RDWR | O_CLOEXEC)
        guard number >= 0 else { throw Trouble(description: "open: \(errno)") }
        commands = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        let (path, messages) = (folder.appending(path: "out").path, messages)
        Thread.detachNewThread { Self.read(path, into: messages) }
    }

    deinit {
        kill(run.identifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Reads messages, which end with a zero byte.
    private static func read(_ path: String, into messages: Recorder<Message>) {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return }
        defer { close(number) }
        var rest = Data()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(number, &chunk, chunk.count)
            guard count > 0 else { return }
            rest += chunk[..<count]
            while let end = rest.firstIndex(of: 0) {
                messages.record(Message(Data(rest[..<end])))
                rest = Data(rest[rest.index(after: end)...])
            }
        }
    }

    /// All messages received so far.
    var said: [Message] { messages.values }

    /// Calls a method and waits for its response.
    func call(
        _ method: String, _ parameters: [String: any Sendable] = [:], session: String? = nil,
        timeout: Duration = .seconds(90)
    ) async throws -> Message {
        let identifier = last.withLock { last in
            last += 1
            return last
        }
        var object: [String: Any] = ["id": identifier, "method": method, "params": parameters]
        if let session { object["sessionId"] = session }
        try commands.write(contentsOf: try JSONSerialization.data(withJSONObject: object) + [0])
        let answer: Message
        do {
            answer = try await messages.next(timeout: timeout) { $0.identifier == identifier }
        } catch {
            throw Trouble(description: "no answer to \(method): \(run.errors.values.suffix(5))")
        }
        if let error = answer["error.message"] { throw Trouble(description: "\(method): \(error)") }
        return answer
    }
}

extension Capability {
    /// A browser: Debian's `chromium`.
    static let chromium = Capability("chromium") {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "command -v chromium"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Browser.Trouble(description: "there is no chromium") }
    }
}
#endif
