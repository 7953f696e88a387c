//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import FoundationEssentials

#if !canImport(Darwin)
import NetworkState
#endif

/// The files in which systemd-networkd keeps its state: `KEY=VALUE` lines, of which `CAPTIVE_PORTAL` is the one sought.
enum Networkd {
    /// The numbers of the links that there are files for.
    static func links(folder: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/links")) ?? []
        return names.compactMap { Int($0) }.sorted()
    }

    /// What was announced on a link: by the link's own file, which covers DHCPv4, DHCPv6 and router advertisements, or by
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

    /// The value of the key in a file's text; quotes around it and backslashes in it are taken off.
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
