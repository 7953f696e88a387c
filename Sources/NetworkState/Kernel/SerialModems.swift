//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// Tells whether a PPP link runs over a serial port, and therefore over a modem, from the files that pppd(8) leaves.
///
/// The kernel does not say what is below a PPP link: it may as well be a VPN's pseudo-terminal or PPPoE. But pppd notes its
/// number in `/run/<link>.pid`, and who holds a serial port notes his in a lock file (Filesystem Hierarchy Standard, 5.9), as
/// pppd does with the option `lock`. A pseudo-terminal is not locked.
enum SerialModems {
    /// Where the files are.
    struct Files: Sendable {
        var pids = "/run"
        var locks = "/var/lock"
    }

    static func carries(_ link: LinkMessage, _ files: Files = Files()) -> Bool {
        guard link.kind == "ppp" || link.hardwareType == .ppp, let name = link.name, !name.contains("/"),
            let owner = number(in: "\(files.pids)/\(name).pid")
        else { return false }
        return SystemFile.names(in: files.locks).contains {
            $0.hasPrefix("LCK..tty") && number(in: "\(files.locks)/\($0)") == owner
        }
    }

    private static func number(in path: String) -> Int? {
        SystemFile.text(path, limit: 64)?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }
}
#endif
