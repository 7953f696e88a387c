// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Netlink
import TestSupport

/// A view of the file system for one thread and those that it starts.
enum FileSystemView {
    /// Gives the calling thread a private view, in which `/etc/resolv.conf` is another file.
    static func enter(resolverFile: String) throws {
        // CLONE_NEWNS; then MS_REC | MS_PRIVATE, so that the host does not see the new mounts; then MS_BIND.
        guard CLinux_unshare(0x20000) == 0, mount(nil, "/", nil, 0x44000, nil) == 0,
            mount(resolverFile, "/etc/resolv.conf", nil, 0x1000, nil) == 0
        else { throw NetlinkError(.system, operation: "mount", errno: NetlinkError.Errno(rawValue: errno)) }
    }
}

extension Capability {
    /// A private view of the file system, with another `/etc/resolv.conf`.
    static let ownResolverFile = Capability("own resolver file") {
        try NetworkNamespace().run { try FileSystemView.enter(resolverFile: "/proc/self/comm") }
    }
}
