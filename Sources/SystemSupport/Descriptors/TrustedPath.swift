// SPDX-License-Identifier: Apache-2.0

import LibC

/// A file or directory that no other user can change or replace.
///
/// This is so if it and every directory that leads to it belong to root or to this user, and no other user can write to them: the
/// directories of the path as given, those of the targets of symbolic links, and those of the path without links. Other users may
/// write to a directory with the sticky bit, such as /tmp, if its entry on this path belongs to root or to this user, because they can
/// neither rename nor remove that entry.
package struct TrustedPath: Hashable, Sendable {
    /// The path without symbolic links, which leads to what was checked.
    package let path: String
    /// The attributes of the file or directory.
    package let status: FileStatus

    /// The reason why a path is not trusted.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package enum Reason: Hashable, Sendable {
            /// A part of the path is missing or cannot be inspected.
            case system(SystemError)
            case belongsToOther
            case isWritable
        }

        package let reason: Reason
        /// The file or directory at fault.
        package let path: String

        package init(reason: Reason, path: String) {
            self.reason = reason
            self.path = path
        }

        /// The problem and its remedy.
        package var description: String {
            switch reason {
            case .system(let error): "\(path): \(error)"
            case .belongsToOther: "\(path) belongs to another user: run chown, or choose another place"
            case .isWritable: "other users can write to \(path): run chmod go-w \(path)"
            }
        }
    }

    /// Follows a path, and checks each step.
    ///
    /// - Parameters:
    ///   - path: the path; a relative one begins at the current directory.
    ///   - user: the ID of the user who relies on it.
    ///   - createsDirectories: whether to create missing directories, also the last, which only their owner can enter.
    ///   - groupIsTrusted: whether the group of a directory above may write to it, as in volumes of Kubernetes.
    /// - Throws: if nothing exists at the path, the error of the system; otherwise the first problem.
    package init(
        _ path: String, user: UInt32 = geteuid(), createsDirectories: Bool = false, groupIsTrusted: Bool = false
    ) throws(Fault) {
        var walk = try Walk(user, createsDirectories: createsDirectories, groupIsTrusted: groupIsTrusted)
        if !path.hasPrefix("/") { try walk.follow(Self.currentDirectory()) }
        try walk.follow(path)
        let last = try walk.end()
        self.path = last.path
        status = last.status
    }

    /// Reads the file, at most `limit` bytes of it.
    ///
    /// Never blocks, as opening a pipe in its place would.
    package func bytes(limit: Int) throws(SystemError) -> [UInt8] {
        let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count < limit {
            let count = try SystemCall.read(file.number, into: &chunk)
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return Array(bytes.prefix(limit))
    }

    private static func currentDirectory() throws(Fault) -> String {
        // The C library allocates the text.
        guard let text = unsafe getcwd(nil, 0) else { throw Fault(reason: .system(SystemError(errno)), path: ".") }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}

/// The way from the root directory to a file.
private struct Walk {
    typealias Fault = TrustedPath.Fault

    /// A file or directory, by its path without links.
    struct Step {
        let path: String
        let status: FileStatus

        init(_ path: String) throws(Fault) {
            self.path = path
            do {
                status = try FileStatus(path, followsLinks: false)
            } catch {
                throw Fault(reason: .system(error), path: path)
            }
        }

        func fault(_ reason: Fault.Reason) -> Fault { Fault(reason: reason, path: path) }
    }

    private let owners: Set<UInt32>
    /// The permissions by which others could replace what is in a directory.
    private let writers: UInt32
    private let createsDirectories: Bool
    private let root: Step
    /// The steps without links, except for the root directory.
    private var steps: [Step] = []
    private var links = 0
    /// The first problem; it matters only if the path exists.
    private var problem: Fault?

    init(_ user: UInt32, createsDirectories: Bool, groupIsTrusted: Bool) throws(Fault) {
        self.createsDirectories = createsDirectories
        writers = groupIsTrusted ? 0o002 : 0o022
        root = try Step("/")
        // The owner of the root directory can replace everything. In a user namespace this need not be user 0.
        owners = [0, user, root.status.owner]
    }

    mutating func follow(_ path: String) throws(Fault) {
        if path.hasPrefix("/") { steps = [] }
        for name in path.split(separator: "/") where name != "." {
            if name == ".." {
                _ = steps.popLast()
                continue
            }
            let step = try step(String(name))
            guard step.status.isSymbolicLink else {
                steps.append(step)
                continue
            }
            // The kernel's own limit: path_resolution(7).
            links += 1
            guard links <= 40 else { throw step.fault(.system(SystemError(ELOOP))) }
            let target: String
            do {
                target = try SystemCall.readLink(step.path)
            } catch {
                throw step.fault(.system(error))
            }
            try follow(target)
        }
    }

    private mutating func step(_ name: String) throws(Fault) -> Step {
        let folder = steps.last ?? root
        let path = (folder.path == "/" ? "" : folder.path) + "/" + name
        let step: Step
        do {
            step = try Step(path)
        } catch  where createsDirectories && error.reason == .system(SystemError(ENOENT)) {
            note(folder)
            if let problem { throw problem }
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw Fault(reason: .system(SystemError(errno)), path: path)
            }
            step = try Step(path)
        }
        note(folder)
        if folder.status.permissions & 0o022 != 0, folder.status.isSticky { note(ownerOf: step) }
        return step
    }

    /// Returns the last step, whose own permissions count too.
    mutating func end() throws(Fault) -> Step {
        let last = steps.last ?? root
        note(ownerOf: last)
        if problem == nil, last.status.permissions & 0o022 != 0 { problem = last.fault(.isWritable) }
        if let problem { throw problem }
        return last
    }

    /// Notes why entries of a directory could be replaced.
    private mutating func note(_ folder: Step) {
        note(ownerOf: folder)
        if problem == nil, folder.status.permissions & writers != 0, !folder.status.isSticky {
            problem = folder.fault(.isWritable)
        }
    }

    private mutating func note(ownerOf step: Step) {
        if problem == nil, !owners.contains(step.status.owner) { problem = step.fault(.belongsToOther) }
    }
}
