//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Glibc

/// Puts the machine back into the state in which it was.
///
/// It knows of no scenario: it ends every process that was not there, and takes back everything of the network.
struct Sweep {
    private let processes = Self.programs()

    /// What scenarios change, as text that can be compared; nil when it cannot be read.
    func state() -> String? {
        try? Shell.run(
            """
            ip -o link | cut -d: -f2
            ip -o addr | awk '{ print $2, $4 }'
            ip route show table all; ip -6 route show table all | grep -v ' dev lo ' || true
            ip rule; ip -6 rule
            ls /run/netns
            ls /sys/class/ieee80211 2>/dev/null || true
            ls /sys/kernel/config/usb_gadget 2>/dev/null || true
            cat /etc/resolv.conf 2>/dev/null || true
            find /run/dbus /run/NetworkManager /run/wpa /etc/NetworkManager/system-connections -type f -o -type s 2>/dev/null || true
            ls /run/*.pid /var/lock/LCK* 2>/dev/null || true
            """)
    }

    /// Sweeps.
    ///
    /// - Returns: what could not be swept away; nil when the machine is as it was.
    func clean(to untouched: String) -> String? {
        var now = ""
        for attempt in 0..<12 {
            let leftovers = Self.programs().subtracting(processes)
            for process in leftovers { kill(process, SIGKILL) }
            if attempt % 4 == 0 { _ = try? Shell.run(Self.broom) }
            now = state() ?? "it cannot be read"
            if now == untouched, leftovers.isEmpty { return nil }
            usleep(50_000)
        }
        let (old, new) = (Set(untouched.split(separator: "\n")), Set(now.split(separator: "\n")))
        return (new.subtracting(old).map { "        + \($0)" } + old.subtracting(new).map { "        - \($0)" })
            .joined(separator: "\n")
    }

    /// Takes everything back; each line may fail.
    private static let broom = """
        set +e
        rfkill unblock all
        for gadget in /sys/kernel/config/usb_gadget/*; do
            [ -e $gadget ] || continue
            echo '' > $gadget/UDC
            rm -f $gadget/configs/c.1/*.*
            rmdir $gadget/configs/c.1/strings/* $gadget/configs/c.1 $gadget/functions/* $gadget/strings/* $gadget
        done
        umount /tmp/modem
        ip -all netns delete
        for module in mac80211_hwsim dummy_hcd; do [ ! -e /sys/module/$module ] || rmmod $module; done
        for link in $(ip -o link | cut -d: -f2 | cut -d@ -f1 | grep -vx ' lo'); do ip link del $link; done
        rm -rf /run/dbus/* /run/NetworkManager /etc/NetworkManager/system-connections/*
        rm -rf /var/lib/NetworkManager/* /run/wpa /run/udev/*
        rm -f /tmp/*.pid /tmp/*.conf /tmp/*.log /tmp/leases /run/*.pid /var/lock/LCK*
        [ ! -e /tmp/resolv.conf.before ] || mv /tmp/resolv.conf.before /etc/resolv.conf
        true
        """

    /// The processes that run a program; the kernel's own threads have none.
    private static func programs() -> Set<pid_t> {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var found: Set<pid_t> = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = pid_t(name), process != getpid() else { continue }
            var target = [CChar](repeating: 0, count: 256)
            if readlink("/proc/\(name)/exe", &target, 255) > 0 { found.insert(process) }
        }
        return found
    }
}
