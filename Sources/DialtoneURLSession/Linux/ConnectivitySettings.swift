// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

package import Foundation

/// The part of a session's configuration that concerns connectivity.
package struct ConnectivitySettings: Hashable, Sendable {
    /// Whether tasks fail at once without connectivity, unless they are set to wait.
    var fails = false
    package var waits = false
    package var allowsExpensive = true
    package var allowsConstrained = true
    package var allowsUltraConstrained = true
    /// The time without a route after which a request in flight ends; nil is no limit.
    var lossLimit: Duration? = .seconds(10)
}

extension ConnectivitySettings {
    /// `lossLimit` in seconds, as an interval of Foundation's configurations.
    package var lossInterval: TimeInterval {
        get { lossLimit.map { $0 / .seconds(1) } ?? .infinity }
        // An interval that is not a number, or longer than a century, is no limit.
        set { lossLimit = newValue < 3e9 ? .milliseconds(Self.rounded(Int64(max(newValue, 0) * 1000))) : nil }
    }

    /// Rounds to two decimal digits: each setting needs a class, so that there must not be one for each interval.
    private static func rounded(_ milliseconds: Int64) -> Int64 {
        var unit: Int64 = 1
        while milliseconds >= 100 * unit { unit *= 10 }
        return (milliseconds + unit / 2) / unit * unit
    }
}

// A session copies its configuration, and the copy keeps only the properties that Foundation knows: nothing can be
// attached to it, and a copy is not observable. The list of protocol classes is copied, though, with the static
// properties of each class. So there is one class for each combination of the settings, and the settings are stored in
// the list: they survive every copy, need no table beside the configurations, and are released with them.

/// A number represented as a type, one binary digit after the other.
protocol SettingNumber {
    static var value: Int64 { get }
}

enum Zero: SettingNumber { static let value: Int64 = 0 }
enum Doubled<Half: SettingNumber>: SettingNumber { static var value: Int64 { Half.value * 2 } }
enum DoubledPlusOne<Half: SettingNumber>: SettingNumber { static var value: Int64 { Half.value * 2 + 1 } }

extension SettingNumber {
    fileprivate static func appending(_ digit: Int64) -> any SettingNumber.Type {
        digit == 0 ? Doubled<Self>.self : DoubledPlusOne<Self>.self
    }
}

/// The protocol class for one combination of settings, which the number encodes.
final class ConnectivityURLProtocolVariant<Number: SettingNumber>: ConnectivityURLProtocol {
    override class var settings: ConnectivitySettings { ConnectivitySettings(number: Number.value) }
}

extension ConnectivitySettings {
    /// The protocol class with these settings; nil for Foundation's default behaviour.
    var protocolClass: ConnectivityURLProtocol.Type? {
        self == ConnectivitySettings() ? nil : Self.protocolClass(Self.type(of: number))
    }

    private static func protocolClass<Number: SettingNumber>(_: Number.Type) -> ConnectivityURLProtocol.Type {
        ConnectivityURLProtocolVariant<Number>.self
    }

    private static func type(of number: Int64) -> any SettingNumber.Type {
        number == 0 ? Zero.self : type(of: number / 2).appending(number % 2)
    }

    private static var flags: [WritableKeyPath<ConnectivitySettings, Bool>] {
        [\.fails, \.waits, \.allowsExpensive, \.allowsConstrained, \.allowsUltraConstrained]
    }

    /// A binary digit for each flag, and above them the limit in milliseconds plus one; 0 is no limit.
    private var number: Int64 {
        let limit = lossLimit.map { Int64($0 / .milliseconds(1)) + 1 } ?? 0
        return Self.flags.reversed().reduce(limit) { $0 * 2 + (self[keyPath: $1] ? 1 : 0) }
    }

    fileprivate init(number: Int64) {
        var rest = number
        for flag in Self.flags {
            self[keyPath: flag] = rest % 2 == 1
            rest /= 2
        }
        lossLimit = rest == 0 ? nil : .milliseconds(rest - 1)
    }
}

#endif
