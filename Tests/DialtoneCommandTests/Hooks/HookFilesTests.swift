// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import CommandSupport

/// Which executables are hooks, and which of them may run.
struct HookFilesTests {
    private let folder: HookFolder

    init() throws { folder = try HookFolder() }

    private func find(_ paths: [String], user: UInt32 = geteuid()) -> [HookFiles.File] {
        HookFiles(paths).find(user: user)
    }

    @Test func `the files of a directory run by name, and paths in the order of the setting`() throws {
        for name in ["20-b", "10-a", "9", "Z", ".hidden", "a~", "a.bak", "a.dpkg-old"] {
            try folder.write("", to: name)
        }
        try folder.write("", to: "README", mode: 0o644)
        try FileManager.default.createDirectory(atPath: "\(folder.path)/sub", withIntermediateDirectories: true)
        let other = try HookFolder()
        let single = try other.write("", to: "single")
        let files = find([single, folder.path])
        #expect(files.map(\.path) == [single] + ["10-a", "20-b", "9", "Z"].map { "\(folder.path)/\($0)" })
        #expect(files.allSatisfy { $0.problem == nil })
    }

    @Test(arguments: [(0o755, true), (0o700, true), (0o555, true), (0o775, false), (0o757, false), (0o777, false)])
    func `a file that others can write is refused`(mode: Int, isUsable: Bool) throws {
        let file = try folder.write("", to: "hook", mode: mode)
        for found in [find([file]), find([folder.path])] {
            #expect(found.map(\.path) == [file])
            #expect((found.first?.problem == nil) == isUsable)
        }
    }

    @Test(arguments: [0o775, 0o757, 0o1777])
    func `a directory that others can write is refused, with all that is in it`(mode: Int) throws {
        let file = try folder.write("", to: "hook")
        try folder.setMode(mode, of: folder.path)
        for path in [file, folder.path] {
            let problem = try #require(find([path]).first?.problem)
            #expect(problem == "other users can write to \(folder.path): run chmod go-w")
        }
    }

    @Test func `a directory above that others can write is refused, unless it has the sticky bit`() throws {
        let inner = "\(folder.path)/inner"
        try FileManager.default.createDirectory(
            atPath: inner, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let file = try folder.write("", to: "inner/hook")
        for (mode, isUsable) in [(0o777, false), (0o1777, true)] {
            try folder.setMode(mode, of: folder.path)
            #expect((find([file]).first?.problem == nil) == isUsable, "\(mode)")
        }
    }

    @Test func `a file or directory of another user is refused, but not root's`() throws {
        let file = try folder.write("", to: "hook")
        guard geteuid() == 0 else {
            #expect(find([file], user: geteuid() + 1).first?.problem == "\(file) belongs to another user")
            return
        }
        #expect(find([file], user: 12_345).first?.problem == nil)
        // In a user namespace there may be no other user.
        for path in [file, folder.path] where chown(path, 12_345, 12_345) == 0 {
            #expect(find([file]).first?.problem == "\(path) belongs to another user")
            #expect(chown(path, 0, 0) == 0)
        }
    }

    @Test func `a symbolic link is judged by both places`() throws {
        let other = try HookFolder()
        let target = try other.write("", to: "target")
        let link = "\(folder.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(find([folder.path]) == [HookFiles.File(path: link)])
        try other.setMode(0o777, of: other.path)
        #expect(find([folder.path]).first?.problem != nil)
        try other.setMode(0o755, of: other.path)
        try other.setMode(0o777, of: target)
        #expect(find([folder.path]).first?.problem != nil)
    }

    @Test(arguments: [("missing", "No such file or directory"), ("plain", "not executable: run chmod +x")])
    func `a configured path that cannot run is a problem`(name: String, problem: String) throws {
        try folder.write("", to: "plain", mode: 0o644)
        #expect(find(["\(folder.path)/\(name)"]).map(\.problem) == [problem])
    }

    @Test func `the default directory may be missing`() throws {
        guard !FileManager.default.fileExists(atPath: HookFiles.standardDirectory) else { return }
        #expect(HookFiles(nil).find().isEmpty)
    }
}
