// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import CKernelConstants
import Foundation

/// The process that is measured.
///
/// It creates and drops members, and obeys commands on standard input, one a line.
///
/// - `roll up` and `roll down`: waits until every member has reported that state, then prints `agreed` with the duration, or
///   the members that disagree.
/// - `lull`: drops all members, prints what is left in the process, and starts over.
struct Subject {
    static let size = 200
    private static let bound = 60.0

    func run() {
        do {
            var crowd: Crowd? = try Crowd(of: Self.size)
            Soak.say("ready")
            var made = 0
            while let commands = Self.commands() {
                for command in commands {
                    switch command {
                    case "roll up": if let crowd { roll(crowd, isUp: true) }
                    case "roll down": if let crowd { roll(crowd, isUp: false) }
                    case "lull":
                        made += crowd?.made ?? 0
                        crowd?.leave()
                        // The waiting room is dropped as well.
                        crowd = nil
                        lull(made: made)
                        crowd = try Crowd(of: Self.size)
                    default: Soak.log("unknown command \(command)")
                    }
                }
                crowd?.turnOver()
            }
        } catch {
            Soak.say("failed \(error)")
        }
    }

    /// The lines that have arrived, after at most a twentieth of a second; nil at the end of input.
    private static func commands() -> [String]? {
        var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 50) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(0, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func roll(_ crowd: Crowd, isUp: Bool) {
        let start = Date()
        var absent = crowd.whoDisagrees(isUp: isUp)
        while !absent.isEmpty, Date().timeIntervalSince(start) < Self.bound {
            usleep(5_000)
            absent = crowd.whoDisagrees(isUp: isUp)
        }
        let milliseconds = Int(Date().timeIntervalSince(start) * 1000)
        Soak.say(absent.isEmpty ? "agreed \(milliseconds)" : "disagreed \(absent)")
    }

    private func lull(made: Int) {
        // Threads and sockets end shortly after the last member: the process is idle when nothing has changed for a second.
        var still = 0
        var last = (0, 0)
        for _ in 0..<200 where still < 20 {
            usleep(50_000)
            let now = (Self.count("fd"), Self.kernelThreads)
            still = now == last && now.1 == 0 ? still + 1 : 0
            last = now
        }
        Soak.say(
            "lull descriptors=\(Self.count("fd")) threads=\(Self.count("task")) bytes=\(CKernel_bytesInUse()) "
                + "kernel=\(Self.kernelThreads) made=\(made)")
    }

    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? -1
    }

    /// The number of threads that listen to the kernel.
    private static var kernelThreads: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "dialtone.kernel\n"
        }
    }
}
#endif
