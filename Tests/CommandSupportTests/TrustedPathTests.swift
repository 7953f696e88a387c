// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import CommandSupport
@testable import DialtoneServerCommand

/// Files that other users could replace: hooks, settings, credentials and the directory of a history follow one rule.
@Suite(.requires(.fileOwners), .timeLimit(.minutes(5)))
struct TrustedPathTests {
    private static let other: UInt32 = 12_345

    /// A part of a layout, below a directory of root; its owner is root unless stated.
    enum Part: Sendable {
        case directory(String, Int, owner: UInt32 = 0)
        case link(String, String, owner: UInt32 = 0)
    }

    /// Directories with a file or, for a history, a directory named `target`.
    struct Layout: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let parts: [Part]
        /// The path that the target is named by.
        let path: String
        /// The place of the target.
        var place = "a/target"
        var owner: UInt32 = 0
        var mode = 0o700
        /// The reason, and the path at fault.
        var fault: (reason: TrustedPath.Fault.Reason, path: String)?
        /// Whether a history accepts it.
        var isGroupsOnly = false
    }

    private static let layouts: [Layout] = [
        Layout(testDescription: "root's", parts: [.directory("a", 0o755)], path: "a/target"),
        Layout(testDescription: "dots", parts: [.directory("a", 0o755)], path: "a/./../a//target"),
        Layout(
            testDescription: "another user's directory", parts: [.directory("a", 0o755, owner: other)],
            path: "a/target",
            fault: (.belongsToOther, "a")),
        Layout(
            testDescription: "root's directory in another user's",
            parts: [.directory("o", 0o755, owner: other), .directory("o/a", 0o755)], path: "o/a/target",
            place: "o/a/target", fault: (.belongsToOther, "o")),
        Layout(
            testDescription: "a directory that all can write", parts: [.directory("a", 0o777)], path: "a/target",
            fault: (.isWritable, "a")),
        Layout(
            testDescription: "a directory that its group can write", parts: [.directory("a", 0o2775)], path: "a/target",
            fault: (.isWritable, "a"), isGroupsOnly: true),
        Layout(testDescription: "a sticky directory", parts: [.directory("a", 0o1777)], path: "a/target"),
        Layout(
            testDescription: "another user's file in a sticky directory", parts: [.directory("a", 0o1777)],
            path: "a/target", owner: other, fault: (.belongsToOther, "a/target")),
        Layout(
            testDescription: "another user's directory in a sticky one",
            parts: [.directory("s", 0o1777), .directory("s/a", 0o755, owner: other)], path: "s/a/target",
            place: "s/a/target", fault: (.belongsToOther, "s/a")),
        Layout(
            testDescription: "a link", parts: [.directory("a", 0o755), .link("l", "a")], path: "l/target"),
        Layout(
            testDescription: "a link in another user's directory",
            parts: [.directory("a", 0o755), .directory("o", 0o755, owner: other), .link("o/l", "../a")],
            path: "o/l/target", fault: (.belongsToOther, "o")),
        Layout(
            testDescription: "a link by way of another user's directory",
            parts: [
                .directory("a", 0o755), .directory("o", 0o755, owner: other), .link("o/m", "../a"), .link("l", "o/m"),
            ], path: "l/target", fault: (.belongsToOther, "o")),
        Layout(
            testDescription: "a link in a directory that all can write",
            parts: [.directory("a", 0o755), .directory("w", 0o777), .link("w/l", "../a")], path: "w/l/target",
            fault: (.isWritable, "w")),
        Layout(
            testDescription: "root's link in a sticky directory",
            parts: [.directory("a", 0o755), .directory("s", 0o1777), .link("s/l", "../a")], path: "s/l/target"),
        Layout(
            testDescription: "another user's link in a sticky directory",
            parts: [.directory("a", 0o755), .directory("s", 0o1777), .link("s/l", "../a", owner: other)],
            path: "s/l/target", fault: (.belongsToOther, "s/l")),
        Layout(
            testDescription: "a link in a circle", parts: [.directory("a", 0o755), .link("l", "m"), .link("m", "l")],
            path: "l/target", fault: (.system(SystemError(ELOOP)), "l")),
        Layout(
            testDescription: "another user's file", parts: [.directory("a", 0o755)], path: "a/target", owner: other,
            fault: (.belongsToOther, "a/target")),
        Layout(
            testDescription: "a file that all can write", parts: [.directory("a", 0o755)], path: "a/target",
            mode: 0o702,
            fault: (.isWritable, "a/target")),
        Layout(
            testDescription: "a file that its group can write", parts: [.directory("a", 0o755)], path: "a/target",
            mode: 0o720, fault: (.isWritable, "a/target")),
    ]

    private let base: HookFolder

    init() throws { base = try HookFolder() }

    /// - Returns: the path of the target.
    private func make(_ layout: Layout, isDirectory: Bool = false) throws -> String {
        for part in layout.parts {
            switch part {
            case .directory(let name, let mode, let owner):
                let path = "\(base.path)/\(name)"
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                try #require(chown(path, owner, 0) == 0)
            case .link(let name, let target, let owner):
                let path = "\(base.path)/\(name)"
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
                try #require(lchown(path, owner, 0) == 0)
            }
        }
        let target = "\(base.path)/\(layout.place)"
        if isDirectory {
            try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        } else {
            try Data("{}".utf8).write(to: URL(filePath: target))
        }
        try FileManager.default.setAttributes([.posixPermissions: layout.mode], ofItemAtPath: target)
        try #require(chown(target, layout.owner, 0) == 0)
        return "\(base.path)/\(layout.path)"
    }

    private func description(_ fault: (reason: TrustedPath.Fault.Reason, path: String)) -> String {
        "\(TrustedPath.Fault(reason: fault.reason, path: "\(base.path)/\(fault.path)"))"
    }

    @Test(arguments: layouts) func `hooks, settings and credentials are read from paths of root alone`(layout: Layout)
        throws
    {
        let path = try make(layout)
        let expected = layout.fault.map(description)
        let hooks = HookFiles([path]).find()
        #expect(hooks.map { $0.problem?.description } == [expected])
        if expected == nil { #expect(hooks.first?.executable == .success("\(base.path)/\(layout.place)")) }
        do throws(SettingsError) {
            _ = try SettingsFile(named: path)
            #expect(expected == nil)
        } catch {
            #expect("\(error)" == "\(path): \(expected ?? "")")
        }
        for isSecret in [true, false] {
            do throws(CredentialFile.Fault) {
                let bytes = try CredentialFile.read(path, isSecret: isSecret, credentials: nil)
                #expect(expected == nil && bytes == Array("{}".utf8))
            } catch {
                #expect("\(error)" == "cannot use \(path): \(expected ?? "")")
            }
        }
    }

    @Test(arguments: layouts) func `a history is recorded in paths of root alone, or of root and a group`(
        layout: Layout
    ) async throws {
        let path = try make(layout, isDirectory: true)
        let store = await HistoryStore.open(at: URL(filePath: path, directoryHint: .isDirectory))
        let expected = layout.isGroupsOnly ? nil : layout.fault.map(description)
        #expect(store.status.isHealthy == (expected == nil))
        let notice = store.status.notices.first?.description
        #expect(notice?.contains(expected ?? "") == (expected == nil ? nil : true), "\(notice ?? "")")
        await store.close()
    }

    @Test(arguments: layouts) func `paths of the user are as good as those of root`(layout: Layout) throws {
        let path = try make(layout)
        let isOwn: Bool
        switch layout.fault?.reason {
        case .system, .isWritable: isOwn = false
        case .belongsToOther, nil: isOwn = true
        }
        #expect(((try? TrustedPath(path, user: Self.other)) != nil) == isOwn)
    }

    @Test func `a missing file is missing, whoever owns the directory`() throws {
        let directory = "\(base.path)/a"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        try #require(chown(directory, Self.other, 0) == 0)
        let fault = #expect(throws: TrustedPath.Fault.self) { try TrustedPath("\(directory)/none/file") }
        #expect(fault == TrustedPath.Fault(reason: .system(SystemError(ENOENT)), path: "\(directory)/none"))
        // Nothing is created in it either.
        let refused = #expect(throws: TrustedPath.Fault.self) {
            try TrustedPath("\(directory)/none", createsDirectories: true)
        }
        #expect(refused?.reason == .belongsToOther && refused?.path == directory)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
    }

    @Test func `missing directories are created for their owner alone, also at the end of a link`() throws {
        try FileManager.default.createSymbolicLink(atPath: "\(base.path)/l", withDestinationPath: "made")
        let place = try TrustedPath("\(base.path)/l/inner", createsDirectories: true)
        #expect(place.path == "\(base.path)/made/inner" && place.status.permissions == 0o700)
    }

    /// Another user exchanges a directory or a link of root's for one of their own, while hooks run.
    @Test(arguments: [true, false]) func `an exchange in another user's directory never runs its hook`(isLink: Bool)
        async throws
    {
        let home = "\(base.path)/home"
        let good = try HookFolder()
        try good.write("exit 0", to: "hook")
        try FileManager.default.createDirectory(atPath: "\(home)/evil", withIntermediateDirectories: true)
        if isLink {
            try FileManager.default.createSymbolicLink(atPath: "\(home)/hooks", withDestinationPath: good.path)
        } else {
            try FileManager.default.createDirectory(atPath: "\(home)/hooks", withIntermediateDirectories: true)
            try writeScript("exit 0", to: "\(home)/hooks/hook")
        }
        let ran = "\(base.path)/ran"
        try writeScript("echo > \(ran)", to: "\(home)/evil/hook")
        for path in [home, "\(home)/evil", "\(home)/evil/hook"] { try #require(chown(path, Self.other, 0) == 0) }
        let (isOver, ended) = (Recorder<Void>(), Recorder<Void>())
        // Not a task, which would keep a thread of the runtime from all others.
        Thread.detachNewThread {
            defer { ended.record(()) }
            while isOver.values.isEmpty {
                for (from, to) in [("hooks", "spare"), ("evil", "hooks"), ("spare", "evil")] {
                    rename("\(home)/\(from)", "\(home)/\(to)")
                }
            }
        }
        defer { isOver.record(()) }
        let reports = Recorder<HookRunner.Report>()
        let runner = HookRunner(.files(HookFiles(["\(home)/hooks/hook", "\(home)/hooks"]))) { reports.record($0) }
        for number in 0..<200 {
            runner.submit(Transition(state: .online, interface: "eth\(number)", time: .sample))
            for _ in 0..<2 { #expect(try await reports.next().result == .refused) }
        }
        isOver.record(())
        try await ended.next()
        #expect(!FileManager.default.fileExists(atPath: ran))
    }
}
