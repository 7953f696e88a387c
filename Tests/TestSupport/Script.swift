// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemSupport

#if os(Linux)
/// F_SETLEASE of fcntl(2), which the C library shows only to GNU sources.
private let setLease: Int32 = 1024
#endif

/// Writes an executable script.
///
/// A program that is being started by another test has a duplicate of the open file until its exec, and a file that is open for
/// writing cannot be executed (`ETXTBSY`). So this waits until no process has it open for writing.
public func writeScript(
    _ script: String, to path: String, mode: Int = 0o755, interpreter: String = "/bin/sh"
) throws {
    try Data("#!\(interpreter)\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    #if os(Linux)
    let file = try Descriptor(opening: path, O_RDONLY)
    // The kernel refuses a lease for reading to a file that is open for writing.
    // clock: the kernel does not report that a file is closed.
    while fcntl(file.number, setLease, Int32(F_RDLCK)) != 0 && errno == EAGAIN { usleep(1000) }
    #endif
}
