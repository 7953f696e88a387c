// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import TestSupport
import Testing

/// A real disk that is full, and one that is read-only.
@Suite(.requires(.mounts), .timeLimit(.minutes(5)))
struct DiskTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func run(_ script: String) throws -> CommandRun {
        try CommandRun.Program.amongOwnMounts(
            script, [CommandRun.Program.historyWriter.path, directory.url.path])
    }

    @Test func `a full disk is reported, records stay in memory, and are written once there is space`() async throws {
        let run = try run("mount -t tmpfs -o size=2m,mode=700 tmpfs \"$2\"; \"$1\" fill \"$2\" 0")
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 0, "\(run.errors.values)")
        #expect(
            run.output.values == [
                "healthy waiting false notices 0",
                "full waiting true notices 1",
                "true",
                "healthy waiting false notices 2",
                "19999",
            ])
    }

    @Test func `a read-only directory is read once, recording continues in memory, and is written later`()
        async throws
    {
        let run = try run(
            """
            mount -t tmpfs -o size=4m,mode=700 tmpfs "$2"
            "$1" record "$2" 3
            # Without these files, the database must be copied to be read.
            rm "$2/history.sqlite-wal" "$2/history.sqlite-shm"
            mount -o remount,ro "$2"
            "$1" locked "$2" 0
            "$1" record "$2" 0
            """)
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 0, "\(run.errors.values)")
        #expect(
            run.output.values == [
                "healthy waiting false notices 0",
                "read-only waiting true notices 1",
                "n0 n1 n2 n101",
                "n0 n1 n2 n101",
                "healthy waiting false notices 2",
                "n0 n1 n2 n101",
                "healthy waiting false notices 0",
            ])
    }

    @Test func `a file in place of the directory causes no loss and no crash`() async throws {
        let place = directory.url.appending(path: "file")
        try Data("precious".utf8).write(to: place)
        let store = await HistoryStore.open(at: place)
        store.record(HistoryTransition(time: .wall - 1, state: .online))
        await store.flush()
        #expect(!store.status.isHealthy)
        #expect(store.status.waiting == 2)
        let timeline = try await store.timeline(from: .wall - 60, to: .wall + 1)
        #expect(timeline.spans.contains { $0.state == .online })
        #expect(try Data(contentsOf: place) == Data("precious".utf8))
        await store.close()
    }
}
