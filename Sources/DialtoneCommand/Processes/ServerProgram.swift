// SPDX-License-Identifier: Apache-2.0

import CommandSupport
import LibC
import SystemSupport

/// The program `dialtone-server`, which runs `serve` and `history`.
///
/// It is a separate program because a database and a server would make every command larger and slower.
enum ServerProgram {
    /// The program cannot be run.
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Replaces this process by the program, with the same arguments and the same process ID, as systemd expects.
    ///
    /// It must run on the main thread, before any other thread exists, so that the program inherits the signal mask
    /// of this process's start.
    static func run() throws(Failed) -> Never {
        guard let paths else {
            throw Failed(description: "cannot run \(name): the directory of dialtone is unknown")
        }
        VersionCheck.announce()
        for path in paths {
            if let missingLibrary, (try? FileStatus(path, followsLinks: true)) != nil {
                throw Failed(description: "cannot run \(path): \(missingLibrary)")
            }
            // The arguments are passed on as bytes, because they need not be UTF-8.
            unsafe execv(path, CommandLine.unsafeArgv)
            let number = errno
            guard [ENOENT, ENOTDIR].contains(number) else {
                throw Failed(description: "cannot run \(path): \(SystemError(number))")
            }
            // The next place is for a program that is not installed here, not for one that is broken.
            guard (try? FileStatus(path, followsLinks: false)) == nil else {
                throw Failed(
                    description: """
                        cannot run \(path): the file exists, but the loader or interpreter that it needs does not: \
                        install the \(name) that was built for this system
                        """)
            }
        }
        throw Failed(
            description: """
                cannot find \(name), which runs 'serve' and 'history', at \(paths.joined(separator: " or ")): \
                install the package \(name), or build it with 'Scripts/swift build --product \(name)'
                """)
    }

    private static let name = "dialtone-server"

    /// The path of the program; nil if it is not installed.
    static var path: String? { paths?.first { (try? FileStatus($0, followsLinks: true)) != nil } }

    /// Where the program may be; nil if this program's own directory is unknown.
    private static var paths: [String]? {
        directory.map { directory in
            let parent = directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)]
            // Neither the working directory nor PATH counts, because others may control them.
            return ["\(directory)/\(name)", "\(parent)/libexec/dialtone/\(name)"]
        }
    }

    /// Why the loader would not start the program, in its place: its own message does not say what to do.
    private static var missingLibrary: String? {
        #if os(Linux)
        let library = "libsqlite3.so.0"
        guard unsafe dlopen(library, RTLD_LAZY) == nil else { return nil }
        return "\(library), which stores the history, is missing: install SQLite (Debian's libsqlite3-0)"
        #else
        return nil
        #endif
    }

    /// The directory of this program, without symbolic links and without a slash at the end; nil if it is unknown.
    private static var directory: String? {
        #if canImport(Darwin)
        let path = Bundle.main.executableURL?.resolvingSymlinksInPath().path ?? ""
        #else
        let path = (try? SystemCall.readLink("/proc/self/exe")) ?? ""
        #endif
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
