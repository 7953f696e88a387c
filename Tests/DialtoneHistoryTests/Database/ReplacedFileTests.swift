// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import GRDB
import Testing

@testable import DialtoneHistory

/// The file of the history is replaced, removed or truncated while it is recorded.
struct ReplacedFileTests {
    private let directory: TemporaryDirectory
    private let clocks = Clocks(Sample.clocks(0))
    private static var files: FileManager { .default }

    init() throws { directory = try TemporaryDirectory() }

    enum Change: CaseIterable { case replaced, replacedWithoutLog, removed, truncated, emptied }

    private func make(_ change: Change, backup: URL) throws {
        let path = directory.database.path
        switch change {
        case .replaced, .replacedWithoutLog:
            #expect(unsafe rename(backup.path, path) == 0)
            if change == .replaced { return }
            for ending in ["-wal", "-shm"] { try Self.files.removeItem(atPath: path + ending) }
        case .removed: for ending in ["", "-wal", "-shm"] { try Self.files.removeItem(atPath: path + ending) }
        case .truncated: #expect(unsafe truncate(path, 8192) == 0)
        case .emptied: #expect(unsafe truncate(path, 0) == 0)
        }
    }

    @Test(arguments: Change.allCases) func `it is noticed at the next tick, and recording goes on`(
        change: Change
    ) async throws {
        var store = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        store.record(Sample.transition(1, .online))
        await store.close()
        // Earlier records are in the main file, and in the backup.
        let backup = directory.url.appending(path: "backup.sqlite")
        try Self.files.copyItem(at: directory.database, to: backup)
        clocks.set(Sample.clocks(10))
        store = await HistoryStore.open(at: directory.url, configuration: clocks.configuration())
        store.beginDelivery {}
        for second in stride(from: 11.0, through: 60, by: 7) {
            clocks.set(Sample.clocks(second))
            store.record(Sample.transition(second, second == 60 ? .online : .limited))
        }
        store.record(Sample.transition(60, .online))
        await store.flush()
        if let batch = try await store.events(limit: 100) { store.acknowledge(batch) }
        await store.flush()
        #expect(store.status.notices.isEmpty)

        try make(change, backup: backup)
        clocks.set(Sample.clocks(70))
        store.tick()
        await store.flush()
        #expect(store.status.isHealthy)
        #expect(store.status.notices.first == .replaced(path: directory.database.path, at: Sample.time(70)))
        #expect(store.status.loss != nil)

        clocks.set(Sample.clocks(80))
        store.record(Sample.transition(80, .offline))
        clocks.set(Sample.clocks(95))
        store.record(Sample.transition(95, .online))
        await store.flush()
        let reading = Sample.clocks(100)
        clocks.set(reading)
        let timeline = try await HistoryReader(directory.url) { reading }
            .timeline(from: Sample.time(60), to: Sample.time(100))
        #expect(timeline.text == "60 online, 80 offline, 95 online" && timeline.outages.map(\.length) == [15])
        // The collector's position in the former file may be beyond the records of this one.
        let states = try await store.events(limit: 100)?.events.compactMap { event -> HistoryState? in
            if case .transition(let transition) = event.content { transition.state } else { nil }
        }
        #expect(states?.suffix(2) == [.offline, .online])
        await store.close()
    }
}
