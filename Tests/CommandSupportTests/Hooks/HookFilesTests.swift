// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import CommandSupport

/// Tests the choice of executables that are hooks and may run.
@Suite(.real)
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

    @Test func `a directory that others can write is refused, with all that is in it`() throws {
        try folder.write("", to: "hook")
        try folder.setMode(0o1777, of: folder.path)
        let files = find([folder.path])
        #expect(files.map(\.path) == [folder.path])
        #expect(files.first?.problem?.description.contains("run chmod go-w \(folder.path)") == true)
    }

    @Test func `a symbolic link is reported, and its target is what runs`() throws {
        let other = try HookFolder()
        let target = try other.write("", to: "target")
        let link = "\(folder.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(find([link]) == [HookFiles.File(path: link, executable: .success(target))])
    }

    @Test func `a link to nothing in a directory is reported, and the other hooks run`() throws {
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/1", withDestinationPath: "/nowhere/hook")
        let hook = try folder.write("", to: "2")
        let files = find([folder.path])
        #expect(files.map(\.path) == ["\(folder.path)/1", hook] && files.allSatisfy(\.isInDirectory))
        #expect(files.first?.problem?.description == "/nowhere: No such file or directory")
        #expect(files.last?.problem == nil)
    }

    @Test(arguments: [("missing", ": No such file or directory"), ("plain", "not executable: run chmod +x")])
    func `a configured path that cannot run is a problem`(name: String, problem: String) throws {
        try folder.write("", to: "plain", mode: 0o644)
        let path = "\(folder.path)/\(name)"
        #expect(find([path]).map { $0.problem?.description } == [problem.hasPrefix(":") ? path + problem : problem])
    }

    @Test func `the default directory may be missing`() throws {
        #expect(HookFiles(nil, standardDirectory: "\(folder.path)/missing").find().isEmpty)
        let hook = try folder.write("", to: "hook")
        #expect(HookFiles(nil, standardDirectory: folder.path).find().map(\.path) == [hook])
    }
}
