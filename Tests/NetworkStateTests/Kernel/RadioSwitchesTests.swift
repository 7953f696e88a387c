// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import NetworkState

struct `Wi-Fi switches` {
    /// The switches' types and states, soft and hard, and whether Wi-Fi is off.
    @Test(
        arguments: [
            ([], false),
            (["bluetooth 1 0"], false),
            (["wlan 0 0"], false), (["wlan 1 0"], true), (["wlan 0 1"], true), (["wlan 1 1"], true),
            (["wlan 1 0", "wlan 0 0"], false), (["wlan 1 0", "wlan 0 1", "bluetooth 0 0"], true),
        ] as [([String], Bool)])
    func `turn Wi-Fi off when all of them are off`(switches: [String], isOff: Bool) throws {
        let folder = NSTemporaryDirectory() + "rfkill.\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (number, words) in switches.map({ $0.split(separator: " ") }).enumerated() {
            let path = "\(folder)/rfkill\(number)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (name, word) in zip(["type", "soft", "hard"], words) {
                try "\(word)\n".write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
            }
        }
        let files = RadioSwitches.Files(folder: folder, device: "/dev/null")
        var watched = RadioSwitches(files)
        let (isOffAtFirst, number) = (watched.isWiFiOff, watched.descriptorNumber)
        #expect(isOffAtFirst == isOff)
        #expect(number >= 0)
        // A file that is not a device is not polled again: it would always be ready.
        let hasChanged = watched.update()
        #expect(!hasChanged)
        let numberAfterwards = watched.descriptorNumber
        #expect(numberAfterwards == -1)
    }
}
