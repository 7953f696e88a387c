//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// What hardware is behind a link, where netlink does not tell: the device's own `uevent` file in sysfs.
///
/// sysfs shows the namespace of its mount, not of the thread: the file is believed only when it names the same link number.
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

    /// The kernel forbids these in names; a name from elsewhere must not lead out of the folder.
    private static func isPlain(_ name: String) -> Bool {
        !name.contains("/") && name != "." && name != ".."
    }
}
#endif
