// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import TestSupport
import Testing

/// Tests the choice of a history's directory.
@Suite(.real, .timeLimit(.minutes(5)))
struct DataDirectoryTests {
    @Test func `a directory that other users can write to is not used until its permissions are fixed`() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.url.path)
        let store = await HistoryStore.open(at: directory.url)
        #expect(!store.status.isHealthy)
        #expect(store.status.notices.first?.description.contains("other users can write to") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).isEmpty)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.url.path)
        await store.flush()
        #expect(store.status.isHealthy)
        await store.close()
    }

    @Test func `a history that other users could have written is not opened or shown`() async throws {
        let directory = try TemporaryDirectory()
        let own = await HistoryStore.open(at: directory.url)
        own.record(HistoryTransition(time: .wall - 60, state: .captivePortal))
        await own.close()
        // A connection would create them again.
        for ending in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: directory.database.path + ending) }
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.url.path)
        let store = await HistoryStore.open(at: directory.url)
        guard case .refused = store.status.problem else {
            Issue.record("\(String(describing: store.status.problem))")
            return
        }
        let timeline = try await store.timeline(from: .wall - 3600, to: .wall + 1)
        #expect(timeline.outages.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() == files)
        await store.close()
    }

    @Test(arguments: [(0o777, false), (0o1777, true), (0o775, true), (0o755, true)])
    func `no folder above it is writable by all users, unless only owners may remove files there`(
        mode: Int, isAllowed: Bool
    ) async throws {
        let above = try TemporaryDirectory()
        let place = above.url.appending(path: "middle/place")
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: above.url.path)
        let store = await HistoryStore.open(at: place)
        #expect(store.status.isHealthy == isAllowed)
        let words = store.status.notices.first?.description
        #expect(words?.contains("other users can write to \(above.url.path):") == (isAllowed ? nil : true))
        await store.close()
    }

    @Test func `the directory may be a link`() async throws {
        let directory = try TemporaryDirectory()
        let place = directory.url.appending(path: "place")
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let link = directory.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place)
        let store = await HistoryStore.open(at: link)
        #expect(store.status.isHealthy)
        await store.close()
    }
}
