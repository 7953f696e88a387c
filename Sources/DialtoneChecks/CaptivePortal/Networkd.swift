// SPDX-License-Identifier: Apache-2.0

internal import DialtoneSupport

#if !canImport(Darwin)
import NetworkState
#endif

/// The state files of systemd-networkd: `KEY=VALUE` lines, of which `CAPTIVE_PORTAL` is read.
enum Networkd {
    /// The indexes of the links that have files.
    static func links(folder: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/links")) ?? []
        return names.compactMap { Int($0) }.sorted()
    }

    /// The announcement on a link: from the link's own file, which covers DHCPv4, DHCPv6 and router advertisements, or from
    /// its DHCPv4 lease.
    static func announcement(link: Int, folder: String) -> CaptivePortalDiscovery {
        for kind in ["links", "leases"] {
            guard let text = text("\(folder)/\(kind)/\(link)"), let value = captivePortal(in: text) else {
                continue
            }
            let announcement = CaptivePortalDiscovery(announced: value)
            if announcement != .unknown { return announcement }
        }
        return .unknown
    }

    /// The value of the key in a file's text, without quotes around it and backslashes in it.
    static func captivePortal(in text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == "CAPTIVE_PORTAL" else { continue }
            var value = parts[1]
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            return String(value.replacing("\\", with: ""))
        }
        return nil
    }

    private static func text(_ path: String) -> String? {
        #if canImport(Darwin)
        nil
        #else
        SystemFile.text(path, limit: 64 * 1024)
        #endif
    }
}
