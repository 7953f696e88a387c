// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Restores the machine's first state.
///
/// It is independent of the scenarios: it ends every process that was not there before, and removes every network change.
struct Sweep {
    private let processes = Self.programs()

    /// The state that scenarios change, as comparable text; nil when it cannot be read.
    func state() -> String? {
        // Few programs: starting one is the slowest step here.
        let network = try? Shell.run(
            """
            printf 'link\naddr\nroute show table all\nrule\n' | ip -o -batch -
            printf 'route show table all\nrule\n' | ip -6 -o -batch -
            """)
        guard let network else { return nil }
        let lines = network.split(separator: "\n").filter { !$0.contains(" dev lo ") }.map(Self.lasting)
        let folders = Self.folders.map { "\($0): \(Self.names(in: $0).sorted().joined(separator: " "))" }
        return (lines + folders + [Self.text("/etc/resolv.conf")]).joined(separator: "\n")
    }

    private static let folders = [
        "/run/netns", "/sys/class/ieee80211", "/sys/class/udc", "/sys/kernel/config/usb_gadget", "/run/dbus",
        "/run/NetworkManager",
        "/run/wpa",
        "/etc/NetworkManager/system-connections", "/var/lock",
    ]

    /// The lasting part of a line: for a link its name, for an address the address, otherwise the whole line.
    private static func lasting(_ line: Substring) -> String {
        let words = line.split(separator: " ")
        guard words.count > 3 else { return String(line) }
        if words[2].hasPrefix("<") { return "link \(words[1])" }
        if words[2] == "inet" || words[2] == "inet6" { return "\(words[1]) \(words[3])" }
        return String(line)
    }

    /// Restores the state.
    ///
    /// - Returns: the difference that is left; nil when the machine is in its first state.
    func clean(to untouched: String) -> String? {
        var now = ""
        for attempt in 0..<12 {
            let leftovers = Self.programs().subtracting(processes)
            for process in leftovers { kill(process, SIGKILL) }
            if attempt % 4 == 0 { _ = try? Shell.run(Self.broom) }
            now = state() ?? "the state cannot be read"
            if now == untouched, leftovers.isEmpty { return nil }
            usleep(50_000)
        }
        let (old, new) = (Set(untouched.split(separator: "\n")), Set(now.split(separator: "\n")))
        return (new.subtracting(old).map { "        + \($0)" } + old.subtracting(new).map { "        - \($0)" })
            .joined(separator: "\n")
    }

    /// Removes everything; each line may fail.
    private static let broom = """
        set +e
        rfkill unblock all
        for gadget in /sys/kernel/config/usb_gadget/*; do
            [ -e $gadget ] || continue
            echo '' > $gadget/UDC
            rm -f $gadget/configs/c.1/*.*
            rmdir $gadget/configs/c.1/strings/* $gadget/configs/c.1 $gadget/functions/* $gadget/strings/* $gadget
        done
        ! mountpoint -q /tmp/modem || umount /tmp/modem
        ip -all netns delete
        # Some tunnels leave a link behind that goes with the module only.
        for module in mac80211_hwsim ipip ip_gre ip_vti sit ip6_tunnel; do
            [ ! -e /sys/module/$module ] || rmmod $module
        done
        for link in /sys/class/net/*/; do
            link=${link%/} && link=${link##*/}
            [ $link = lo ] || ip link del $link
        done
        rm -rf /run/dbus/* /run/NetworkManager /etc/NetworkManager/system-connections/*
        rm -rf /var/lib/NetworkManager/* /run/wpa /run/udev/*
        rm -f /tmp/*.pid /tmp/*.conf /tmp/*.log /tmp/leases /run/*.pid /var/lock/LCK*
        [ ! -e /tmp/resolv.conf.before ] || mv /tmp/resolv.conf.before /etc/resolv.conf
        true
        """

    /// The processes that run a program; kernel threads do not.
    private static func programs() -> Set<pid_t> {
        let processes = names(in: "/proc").compactMap { pid_t($0) }.filter { $0 != getpid() }
        return Set(
            processes.filter { process in
                var target = [CChar](repeating: 0, count: 256)
                return readlink("/proc/\(process)/exe", &target, 255) > 0
            })
    }

    private static func names(in folder: String) -> [String] {
        guard let opened = opendir(folder) else { return [] }
        defer { closedir(opened) }
        var names: [String] = []
        while let entry = readdir(opened) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        return String(decoding: buffer.prefix(fread(&buffer, 1, buffer.count, file)), as: UTF8.self)
    }
}
