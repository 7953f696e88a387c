// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import Netlink
import SystemSupport

/// Finds the hardware type of a link from its `uevent` file in sysfs, where netlink does not report it.
///
/// sysfs shows the namespace of its mount, not of the thread, so the file must name the same link number.
enum DeviceTypes {
    static func read(_ link: LinkMessage) -> InterfaceClassifier.DeviceType? {
        guard link.kind == nil, !link.flags.contains(.loopback), let name = link.name, isPlain(name),
            let text = SystemFile.text("/sys/class/net/\(name)/uevent", limit: 4096)
        else { return nil }
        let lines = text.split(separator: "\n")
        guard lines.contains("IFINDEX=\(link.index)"), lines.contains("INTERFACE=\(name)") else { return nil }
        if lines.contains("DEVTYPE=wlan") { return .wlan }
        if lines.contains("DEVTYPE=wwan") { return .wwan }
        return nil
    }

    /// Rejects names that would escape the directory.
    ///
    /// The kernel forbids them, but a name may come from elsewhere.
    private static func isPlain(_ name: String) -> Bool {
        !name.contains("/") && name != "." && name != ".."
    }
}

/// Finds out from the files that pppd(8) leaves whether a PPP link runs over a serial port, and therefore over a modem.
///
/// The kernel does not report what is below a PPP link, which may also be a VPN's pseudo-terminal or PPPoE. But pppd
/// writes its process ID to `/run/<link>.pid`, and the process that holds a serial port writes its own to a lock file
/// (Filesystem Hierarchy Standard, 5.9), as pppd does with the option `lock`. A pseudo-terminal is not locked. Only files
/// of root count, because every user may write to their directory: pppd runs as root.
enum SerialModems {
    /// The directories to search.
    struct Files: Sendable {
        var pids = "/run"
        var locks = "/var/lock"
        /// The user ID of the lock files' owner.
        var owner: UInt32 = 0
    }

    static func carries(_ link: LinkMessage, _ files: Files = Files()) -> Bool {
        guard link.kind == "ppp" || link.hardwareType == .ppp, let name = link.name, !name.contains("/"),
            let process = number(in: "\(files.pids)/\(name).pid")
        else { return false }
        return SystemFile.names(in: files.locks).contains {
            guard $0.hasPrefix("LCK..tty") else { return false }
            let path = "\(files.locks)/\($0)"
            // The directory's sticky bit keeps other users from replacing a file of root between the two calls.
            return (try? FileStatus(path, followsLinks: false))?.owner == files.owner && number(in: path) == process
        }
    }

    private static func number(in path: String) -> Int? {
        SystemFile.text(path, limit: 64)?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }
}
#endif
