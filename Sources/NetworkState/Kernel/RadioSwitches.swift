// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import LibC
import Netlink
import SystemSupport

/// The radios that are switched off by a key, a menu or airplane mode: the kernel's rfkill subsystem.
///
/// The state is read from sysfs. The device, if it can be opened, only signals when to read again. Source: the kernel's
/// `Documentation/driver-api/rfkill.rst` and `linux/rfkill.h`.
struct RadioSwitches: ~Copyable {
    /// The paths to read.
    struct Files: Sendable {
        /// The directory with one entry for each switch.
        var folder = "/sys/class/rfkill"
        /// The device that announces changes.
        var device = "/dev/rfkill"
    }

    /// The switches of Wi-Fi and modems.
    private(set) var switches: [RadioSwitch] = []
    /// Whether there is a Wi-Fi switch and all of them are off.
    var isWiFiOff: Bool { switches.block(of: .wlan, named: nil) != nil }
    private let files: Files
    private var device: Descriptor?

    init(_ files: Files = Files()) {
        self.files = files
        openDevice()
        reload()
    }

    /// Opens the device, which may only appear with the first radio.
    private mutating func openDevice() {
        guard device == nil else { return }
        device = try? Descriptor(opening: files.device, O_RDONLY | O_NONBLOCK)
    }

    /// The file descriptor for poll(2); negative if there is no device.
    var descriptorNumber: Int32 { device?.number ?? -1 }

    /// Handles the events of the device.
    ///
    /// - Returns: whether any switch has changed.
    mutating func update() -> Bool {
        openDevice()
        if let number = device?.number {
            // Each read returns one event of 8 bytes or more. Its content is ignored; the state is read from sysfs.
            var event = [UInt8](repeating: 0, count: 64)
            var failure: SystemError?
            do { while try SystemCall.read(number, into: &event) > 0 {} } catch { failure = error }
            // The device is gone, or is not an rfkill device: it would be readable forever.
            if failure?.number != EAGAIN { device = nil }
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
