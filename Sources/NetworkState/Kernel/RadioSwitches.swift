//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
import Netlink

/// Which radios are switched off, by a key, a menu or airplane mode: the kernel's rfkill subsystem.
///
/// The state is read from sysfs; the device, where it may be opened, only tells when to read again. Source: the kernel's
/// `Documentation/driver-api/rfkill.rst` and `linux/rfkill.h`.
struct RadioSwitches: ~Copyable {
    /// Where the files are.
    struct Files: Sendable {
        /// One folder for each switch.
        var folder = "/sys/class/rfkill"
        /// Announces changes.
        var device = "/dev/rfkill"
    }

    /// The switches of Wi-Fi and modems.
    private(set) var switches: [RadioSwitch] = []
    /// There is a Wi-Fi switch, and all of them are off.
    var isWiFiOff: Bool { switches.block(of: .wlan, named: nil) != nil }
    private let files: Files
    private var device: Descriptor?

    init(_ files: Files = Files()) {
        self.files = files
        openDevice()
        reload()
    }

    /// The device may come later, with the first radio.
    private mutating func openDevice() {
        guard descriptorNumber < 0 else { return }
        let number = open(files.device, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        device = number >= 0 ? Descriptor(number) : nil
    }

    /// The number for poll(2); negative when there is no device.
    var descriptorNumber: Int32 {
        switch device {
        case .some(let device): device.number
        case .none: -1
        }
    }

    /// Takes in what the device announced.
    ///
    /// - Returns: whether anything differs.
    mutating func update() -> Bool {
        openDevice()
        let number = descriptorNumber
        if number >= 0 {
            // One event at a time, of 8 bytes or more; what they say is read from sysfs.
            var event = [UInt8](repeating: 0, count: 64)
            var count = 0
            repeat { count = read(number, &event, event.count) } while count > 0
            // Not what it seems, or gone: it would be ready for ever.
            if count == 0 || errno != EAGAIN { device = nil }
        }
        let old = switches
        reload()
        return switches != old
    }

    private mutating func reload() {
        switches = SystemFile.names(in: files.folder).sorted().compactMap { Self.radioSwitch("\(files.folder)/\($0)") }
    }

    private static func radioSwitch(_ folder: String) -> RadioSwitch? {
        guard let kind = word("\(folder)/type").flatMap({ RadioSwitch.Kind(rawValue: String($0)) }) else { return nil }
        let isHard = word("\(folder)/hard") == "1"
        let isSoft = word("\(folder)/soft") == "1"
        return RadioSwitch(
            name: word("\(folder)/name").map(String.init) ?? "", type: kind,
            block: isHard ? .hardware : isSoft ? .software : nil)
    }

    private static func word(_ path: String) -> Substring? {
        SystemFile.text(path, limit: 64)?.split(whereSeparator: \.isWhitespace).first
    }
}
#endif
