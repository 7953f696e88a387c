// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import DialtoneAgent
import DialtoneHistory
import LibC
import SystemSupport

/// The reply to `dialtone serve --reload`: a datagram that the server sends to a socket in the directory of the history, to which
/// no other user may write.
///
/// A process that systemd starts for a reload may not read credentials, so only the server knows whether it can use its settings.
enum ReloadReply {
    /// The time within which a server must reply, in seconds: a file may be on a slow disk.
    private static let timeLimit = 60.0

    private static func socket(in directory: URL) -> String { directory.appending(path: "reload.socket").path }

    /// Sends the result of a reload, if a process waits for it.
    static func send(_ result: ReloadResult, to directory: URL) {
        let text =
            switch result {
            case .applied(let note): "+" + (note ?? "")
            case .refused(let reason): "-" + reason
            }
        try? Sockets.sendDatagram(Array(text.utf8), toUnixSocket: Array(socket(in: directory).utf8))
    }

    /// The name of a process of another program, which the signal would end; nil for a process of this program, or if it is not known.
    private static func otherProgram(_ process: Int32) -> String? {
        func name(_ process: String) -> String? {
            (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)).map {
                String($0.prefix { $0 != "\n" })
            }
        }
        guard let other = name("\(process)"), let own = name("self"), other != own else { return nil }
        return other
    }

    /// Whether a process has another user than the one who recorded in a directory, so that it does not record there.
    private static func isOfOtherUser(_ process: Int32, than directory: URL) -> Bool {
        let lock = directory.appending(path: HistoryLocation.lockName).path(percentEncoded: false)
        guard let recorder = try? FileStatus(lock).owner,
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let users = status.split(separator: "\n").first(where: { $0.hasPrefix("Uid:") })
        else { return false }
        // The real one and the effective one.
        return users.split(separator: "\t").dropFirst(2).first != "\(recorder)"
    }

    /// Requests a server to reload its settings, and waits for the result.
    ///
    /// - Parameter directory: the directory of its history.
    /// - Returns: nil if it does not reply in time.
    /// - Throws: a description of what this process cannot do.
    static func request(of process: Int32, in directory: URL) throws(ReloadFailure) -> ReloadResult? {
        if let name = otherProgram(process) {
            throw ReloadFailure(description: "process \(process) is no server, but \(name)")
        }
        if isOfOtherUser(process, than: directory) {
            throw ReloadFailure(
                description:
                    "process \(process) has another user than the history in \(directory.path): add its --data-dir")
        }
        let path = socket(in: directory)
        // A process that was killed while it waited may have left it.
        unsafe unlink(path)
        let receiver: Descriptor
        do {
            receiver = try Sockets.openDatagramSocket(atUnixName: Array(path.utf8))
        } catch {
            throw ReloadFailure(description: "cannot wait for the reply at \(path): \(error)")
        }
        defer { unsafe unlink(path) }
        guard kill(process, SIGHUP) == 0 else {
            throw ReloadFailure(description: "cannot reach the server, process \(process): \(SystemError(errno))")
        }
        let (outcome, _) = PollSet.wait(
            readable: [receiver.number], until: TimeSource.system.now + .seconds(timeLimit), nil)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        guard outcome == .ready, let count = try? Sockets.receiveBytes(receiver, into: &buffer), count > 0 else {
            return nil
        }
        let words = String(decoding: buffer[1..<count], as: UTF8.self)
        guard buffer[0] == UInt8(ascii: "+") else { return .refused(reason: words) }
        return .applied(note: words.isEmpty ? nil : words)
    }
}

/// The reason why no reload was requested.
struct ReloadFailure: Error, CustomStringConvertible {
    let description: String
}
