// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dialtone
import DialtoneHistory
import Foundation
import Netlink
import TestSupport
import Testing

/// The server on a full or read-only disk: it keeps serving, reports the problem, loses nothing, and recovers.
@Suite(.requires(.networkNamespaces), .requires(.mounts), .timeLimit(.minutes(5)))
struct ServeDiskTests {
    /// A server on its own disk, and its events.
    private struct Disk {
        let lab: ServeLab
        let mounts: OwnMounts

        init(size: String) async throws { try await self.init("mount -t tmpfs -o size=\(size),mode=700 tmpfs \"$1\"") }

        /// - Parameter script: mounts a file system on `$1`.
        init(_ script: String) async throws {
            lab = try await ServeLab()
            try FileManager.default.createDirectory(at: lab.directory, withIntermediateDirectories: true)
            mounts = try await OwnMounts(script, [lab.directory.path])
            try await lab.network.join()
        }

        func serve() async throws -> (ServeLab.Serving, RawClient) {
            let serving = try await lab.serve(among: mounts)
            let events = try await lab.network.client.run { try RawClient(serving.port) }
            try events.send(RawClient.text(serving.port, "GET", "/events"))
            _ = try await events.read(until: "\"connectivity\":\"online\"")
            return (serving, events)
        }

        /// Disconnects the cable and connects it again.
        func interrupt(_ events: RawClient) async throws {
            try await lab.network.setCable(connected: false)
            _ = try await events.read(until: "\"connectivity\":\"offline\"")
            try await lab.network.setCable(connected: true)
            _ = try await events.read(until: "\"connectivity\":\"online\"")
        }

        /// The number of outages on the disk.
        func keptOutages() async throws -> Int {
            try await HistoryReader(mounts.place(of: lab.directory)).transitions().count { $0.state == .offline }
        }

        /// Expects the problem in every place that people or programs read, while everything else works.
        func expectTrouble(_ words: String, _ serving: ServeLab.Serving) async throws {
            #expect(try await serving.get("/healthz").status == 200)
            // A check that finds no time on a busy machine has no verdict; the next one has.
            try await eventually {
                try await serving.get("/api/status").object?["connectivity"] as? String == "online"
            }
            let status = try #require(try await serving.get("/api/status").object)
            let history = try #require(status["history"] as? [String: Any])
            #expect(history["healthy"] as? Bool == false)
            #expect((history["problem"] as? String)?.contains(words) == true, "\(history)")
            #expect((history["waiting"] as? Int) ?? 0 > 0)
            let metrics = try await serving.get("/metrics").body
            #expect(metrics.contains("\ndialtone_history_healthy 0\n"))
            #expect(!metrics.contains("\ndialtone_history_waiting_records 0\n"))
            let page = try await serving.get("/").body
            #expect(page.contains("role=\"alert\">\(words)"), "\(page.prefix(400))")
            let past = try #require(try await serving.get("/api/history").object)
            #expect((past["note"] as? String)?.contains(words) == true, "\(past)")
        }

        /// Expects that the problem is no longer reported.
        func expectNoTrouble(_ serving: ServeLab.Serving) async throws {
            // A check may have just finished, and its record may still be waiting.
            while true {
                let history = try #require(try await serving.get("/api/status").object?["history"] as? [String: Any])
                #expect(history["healthy"] as? Bool == true && history["problem"] is NSNull, "\(history)")
                if history["waiting"] as? Int == 0 || history["healthy"] as? Bool != true { break }
            }
            #expect(try await serving.get("/metrics").body.contains("\ndialtone_history_healthy 1\n"))
            #expect(!(try await serving.get("/").body.contains("role=\"alert\"")))
        }
    }

    @Test func `a disk that fills up is reported, and all records are written once there is space`() async throws {
        let disk = try await Disk(size: "2m")
        let (serving, events) = try await disk.serve()
        try await disk.interrupt(events)
        try await disk.mounts.run("head -c 8M /dev/zero > \"$1/ballast\" || true", [disk.lab.directory.path])
        let kept = try await disk.keptOutages()
        // However much space is left in its files, they fill up eventually.
        let degraded = Task { [errors = serving.command.errors] in
            try await errors.next(timeout: .seconds(120)) { $0.contains("The disk is full") }
        }
        while try await serving.get("/metrics").body.contains("\ndialtone_history_healthy 1\n") {
            try await disk.interrupt(events)
        }
        #expect(try await degraded.value.contains("level=warning"))
        try await disk.interrupt(events)
        try await disk.expectTrouble("The disk is full", serving)
        #expect(try await disk.keptOutages() >= kept)
        let told = try #require(try await serving.get("/api/history").object?["outageCount"] as? Int)
        #expect(told >= 3)

        try await disk.mounts.run("rm \"$1/ballast\"", [disk.lab.directory.path])
        _ = try await serving.command.errors.next(timeout: .seconds(120)) { $0.contains("Recording resumed") }
        try await disk.expectNoTrouble(serving)
        // After a kill without a shutdown, all records are there.
        kill(serving.command.identifier, SIGKILL)
        #expect(try await serving.command.exitStatus() == 128 + SIGKILL)
        #expect(try await disk.keptOutages() == told)
    }

    @Test func `a disk that is full from the start does not prevent serving`() async throws {
        let disk = try await Disk(size: "64k")
        try await disk.mounts.run("head -c 8M /dev/zero > \"$1/ballast\" || true", [disk.lab.directory.path])
        let (serving, events) = try await disk.serve()
        try await disk.interrupt(events)
        try await disk.expectTrouble("The disk is full", serving)
        try await disk.mounts.run(
            "rm \"$1/ballast\"; mount -o remount,size=4m \"$1\"", [disk.lab.directory.path])
        _ = try await serving.command.errors.next(timeout: .seconds(120)) { $0.contains("Recording resumed") }
        try await disk.expectNoTrouble(serving)
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
        #expect(try await disk.keptOutages() == 1)
    }

    @Test func `a read-only directory is reported, its records are shown, and new ones written later`() async throws {
        let disk = try await Disk(size: "4m")
        let (first, firstEvents) = try await disk.serve()
        try await disk.interrupt(firstEvents)
        first.command.terminate()
        #expect(try await first.command.exitStatus() == 0)
        #expect(try await disk.keptOutages() == 1)

        try await disk.mounts.run("mount -o remount,ro \"$1\"", [disk.lab.directory.path])
        let (serving, events) = try await disk.serve()
        try await disk.interrupt(events)
        try await disk.expectTrouble("The data directory is not writable", serving)
        // Stored and waiting records form one history.
        #expect(try await serving.get("/api/history").object?["outageCount"] as? Int == 2)
        #expect(try await disk.keptOutages() == 1)
        #expect(
            serving.command.errors.values.contains { $0.contains("level=warning") && $0.contains("is not writable") })

        try await disk.mounts.run("mount -o remount,rw \"$1\"", [disk.lab.directory.path])
        _ = try await serving.command.errors.next(timeout: .seconds(120)) { $0.contains("Recording resumed") }
        try await disk.expectNoTrouble(serving)
        kill(serving.command.identifier, SIGKILL)
        #expect(try await serving.command.exitStatus() == 128 + SIGKILL)
        #expect(try await disk.keptOutages() == 2)
    }

    /// Simulates ext4 on a failing disk: files that are open for writing can no longer be written.
    @Test(.requires(.loopMounts)) func `a disk that becomes read-only while in use keeps its records`() async throws {
        let disk = try await Disk(
            """
            truncate -s 16M "$1.img"; mkfs.ext4 -q "$1.img"; mount -o loop "$1.img" "$1"
            """)
        defer { try? FileManager.default.removeItem(atPath: disk.lab.directory.path + ".img") }
        let (serving, events) = try await disk.serve()
        try await disk.interrupt(events)
        try await eventually { try await disk.keptOutages() > 0 }
        // Data that the kernel has not written yet would be lost with the disk.
        try await disk.mounts.run("sync -f \"$1\"; mount -o remount,abort \"$1\"", [disk.lab.directory.path])
        try await disk.interrupt(events)
        _ = try await serving.command.errors.next(timeout: .seconds(120)) { $0.contains("level=warning") }
        try await disk.expectTrouble("The data directory is not writable", serving)
        #expect(try await serving.get("/api/history").object?["outageCount"] as? Int == 2)
        serving.command.terminate()
        #expect(try await serving.command.exitStatus() == 0)
        try await disk.mounts.run(
            "umount \"$1\"; e2fsck -fp \"$1.img\" >&2 || [ $? = 1 ]; mount -o loop \"$1.img\" \"$1\"",
            [disk.lab.directory.path])
        #expect(try await disk.keptOutages() == 1)
        let (again, _) = try await disk.serve()
        try await disk.expectNoTrouble(again)
        again.command.terminate()
        #expect(try await again.command.exitStatus() == 0)
    }
}

extension Capability {
    /// A file system in a file, which the test can make fail: a loop device, and Debian's `e2fsprogs`.
    fileprivate static let loopMounts = Capability("loop mounts") {
        let file = FileManager.default.temporaryDirectory.appending(path: "dialtone-loop-\(UUID().uuidString)").path
        defer { for path in [file, file + ".img"] { try? FileManager.default.removeItem(atPath: path) } }
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = """
            mkdir "$1"; truncate -s 16M "$1.img"; mkfs.ext4 -q "$1.img"; mount -o loop "$1.img" "$1"
            mount -o remount,abort "$1"; umount "$1"
            """
        probe.arguments = ["unshare", "--mount", "sh", "-ec", script, "sh", file]
        probe.standardError = FileHandle.nullDevice
        try probe.run()
        probe.waitUntilExit()
        if probe.terminationStatus != 0 { throw CocoaError(.featureUnsupported) }
    }
}
#endif
