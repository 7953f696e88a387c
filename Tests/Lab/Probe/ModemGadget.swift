// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The other end of a modem's cable: describes a USB device with one vendor interface, which `qmi_wwan` accepts as a modem,
/// and discards the data sent to it (`linux/usb/functionfs.h`).
struct ModemGadget {
    let folder: String

    /// Serves until the device is removed for good.
    func run() {
        let control = open("\(folder)/ep0", O_RDWR)
        guard control >= 0, put(control, descriptors), put(control, strings) else { return }
        var event = [UInt8](repeating: 0, count: 12)
        while read(control, &event, event.count) == event.count {
            // struct usb_functionfs_event: the setup packet, then the kind. 2 is "enabled", 4 is a setup packet.
            switch event[8] {
            case 2: swallow()
            case 4: answer(control, event)
            default: break
            }
        }
    }

    private func put(_ file: Int32, _ bytes: [UInt8]) -> Bool { write(file, bytes, bytes.count) == bytes.count }

    /// A request for data gets none; one that carries data is accepted.
    private func answer(_ control: Int32, _ event: [UInt8]) {
        if event[0] & 0x80 != 0 {
            _ = write(control, event, 0)
        } else {
            var data = [UInt8](repeating: 0, count: Int(event[6]) | Int(event[7]) << 8)
            _ = read(control, &data, data.count)
        }
    }

    private func swallow() {
        var thread = pthread_t()
        let path = strdup("\(folder)/ep3")
        pthread_create(
            &thread, nil,
            { path in
                guard let path else { return nil }
                let name = String(cString: path.assumingMemoryBound(to: CChar.self))
                free(path)
                let endpoint = open(name, O_RDWR)
                var frame = [UInt8](repeating: 0, count: 2048)
                while read(endpoint, &frame, frame.count) >= 0 {}
                close(endpoint)
                return nil
            }, path)
    }

    /// `FUNCTIONFS_DESCRIPTORS_MAGIC_V2`, the length, flags for full and high speed, then both descriptions.
    private var descriptors: [UInt8] {
        let interface: [UInt8] = [9, 4, 0, 0, 3, 0xFF, 0xFF, 0xFF, 1]
        func endpoint(_ address: UInt8, _ attributes: UInt8, _ size: UInt16, _ interval: UInt8) -> [UInt8] {
            [7, 5, address, attributes, UInt8(size & 0xFF), UInt8(size >> 8), interval]
        }
        func function(bulk: UInt16) -> [UInt8] {
            interface + endpoint(0x81, 3, 16, 5) + endpoint(0x82, 2, bulk, 0) + endpoint(0x03, 2, bulk, 0)
        }
        let body = words(4, 4) + function(bulk: 64) + function(bulk: 512)
        return words(3, 12 + UInt32(body.count), 1 | 2) + body
    }

    /// `FUNCTIONFS_STRINGS_MAGIC`, the length, one string in one language.
    private var strings: [UInt8] {
        let body: [UInt8] = [0x09, 0x04] + Array("Lab modem".utf8) + [0]
        return words(2, 16 + UInt32(body.count), 1, 1) + body
    }

    private func words(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }
}
