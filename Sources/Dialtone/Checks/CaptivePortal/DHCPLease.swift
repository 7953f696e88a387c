// SPDX-License-Identifier: Apache-2.0

internal import SystemSupport

/// A DHCPv4 lease, as far as it is needed to find the network's captive portal API.
struct DHCPLease: Hashable, Sendable {
    /// The name of the link that it was obtained on; nil if the client does not keep it.
    var interface: String?
    var address: NetworkAddress
    /// The end of the lease, in seconds since 1970.
    var expiry: Double
    /// The text of option 114 (RFC 8910, section 2.1); nil if the server did not send it.
    var captivePortal: String?

    /// Whether it is in force on a link: unexpired, and its address is assigned to that link.
    ///
    /// A client's file may also have the leases of networks that this machine has left.
    func isInForce(on link: LinkAddress, at time: Double) -> Bool {
        address == link.address && (interface ?? link.interface) == link.interface && time < expiry
    }
}

/// An IPv4 address of a link of this machine.
struct LinkAddress: Hashable, Sendable {
    var interface: String
    var index: Int
    var address: NetworkAddress
}

extension DHCPLease {
    /// Reads a lease of NetworkManager; nil without an address or an end.
    ///
    /// Option 114 has the name that it had before RFC 8910.
    init?(networkManager options: [String: String]) {
        guard let address = options["ip_address"].flatMap({ NetworkAddress($0) }),
            let expiry = options["expiry"].flatMap({ Double($0) })
        else { return nil }
        self.init(address: address, expiry: expiry, captivePortal: options["default_url"])
    }

    /// Reads the file of ISC's dhclient (dhclient.leases(5)), which appends each lease that it obtains.
    ///
    /// Malformed lines, leases without an address or an end, and DHCPv6 leases are skipped.
    ///
    /// - Returns: the leases, oldest first.
    static func dhclient(_ text: String) -> [DHCPLease] {
        var leases: [DHCPLease] = []
        var lease: [String: Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            var statement = line.drop { $0 == " " || $0 == "\t" }
            // A comment with the local time follows a number of seconds.
            if !statement.contains("\""), let comment = statement.firstRange(of: "; #") {
                statement = statement[...comment.lowerBound]
            }
            if statement.hasPrefix("}") {
                lease.flatMap { DHCPLease(dhclient: $0) }.map { leases.append($0) }
                lease = nil
            } else if statement.hasSuffix("{") {
                lease = statement.hasPrefix("lease ") ? [:] : nil
            } else if statement.hasSuffix(";") {
                // The name of an option has two words.
                let words = statement.dropLast().split(
                    separator: " ", maxSplits: statement.hasPrefix("option ") ? 2 : 1)
                guard let value = words.last, words.count > 1 else { continue }
                lease?[words.dropLast().joined(separator: " ")] = value
            }
        }
        return leases
    }

    private init?(dhclient statements: [String: Substring]) {
        guard let address = statements["fixed-address"].flatMap({ NetworkAddress(String($0)) }),
            let expiry = statements["expire"].flatMap({ Self.time(of: $0) })
        else { return nil }
        // A client that does not know the option by its name writes its number.
        let portal = statements["option default-url"] ?? statements["option unknown-114"]
        self.init(
            interface: statements["interface"].flatMap { Self.text(of: $0) }, address: address, expiry: expiry,
            captivePortal: portal.flatMap { Self.text(of: $0) })
    }

    /// The time in `never`, `epoch 1423140943`, or `4 2015/02/05 12:55:43`, which is in UTC and begins with the day of the week;
    /// nil for other text.
    private static func time(of text: Substring) -> Double? {
        let words = text.split(separator: " ")
        if words == ["never"] { return .infinity }
        if words.count == 2, words[0] == "epoch" { return UInt32(words[1]).map(Double.init) }
        let numbers = words.dropFirst().flatMap { $0.split { $0 == "/" || $0 == ":" } }.compactMap { UInt32($0) }
        guard words.count == 3, numbers.count == 6, (1970...9999).contains(numbers[0]),
            (1...12).contains(numbers[1]), (1...31).contains(numbers[2]), numbers[3] < 24, numbers[4] < 60,
            numbers[5] < 61
        else { return nil }
        return Double(days(numbers[0], numbers[1], numbers[2])) * 86_400
            + Double(numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
    }

    /// The number of days from the beginning of 1970 to a date of the Gregorian calendar.
    private static func days(_ year: UInt32, _ month: UInt32, _ day: UInt32) -> UInt32 {
        // Years that begin in March end with the leap day.
        let years = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * years + years / 4 - years / 100 + years / 400 + dayOfYear - 719_468
    }

    /// The text of a quoted string with escapes, or of hexadecimal bytes such as `68:74`; nil for anything else.
    private static func text(of value: Substring) -> String? {
        var bytes: [UInt8] = []
        if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
            var rest = value.dropFirst().dropLast().utf8[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "\\") else {
                    bytes.append(byte)
                    continue
                }
                // `\047` is an octal number; any other escaped byte represents itself.
                let digits = rest.prefix(3).prefix { (0x30...0x37).contains($0) }
                if digits.count == 3, let number = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) {
                    bytes.append(number)
                    rest = rest.dropFirst(3)
                } else if let escaped = rest.popFirst() {
                    bytes.append(escaped)
                }
            }
        } else {
            for digits in value.split(separator: ":", omittingEmptySubsequences: false) {
                guard let byte = UInt8(digits, radix: 16) else { return nil }
                bytes.append(byte)
            }
        }
        // Some servers send the terminator of a C string.
        if bytes.last == 0 { bytes.removeLast() }
        return String(validUTF8: bytes)
    }
}
