// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation

/// The part of a session's configuration that concerns connectivity.
struct ConnectivitySettings: Hashable, Sendable {
    /// Whether tasks fail at once without connectivity, unless they are set to wait.
    var fails = false
    var waits = false
    var allowsExpensive = true
    var allowsConstrained = true
    /// The time without a route after which a request in flight ends; nil is no limit.
    var lossLimit: Duration? = .seconds(10)
}

extension ConnectivitySettings {
    /// `lossLimit` in seconds, as an interval of Foundation's configurations.
    var lossInterval: TimeInterval {
        get { lossLimit.map { $0 / .seconds(1) } ?? .infinity }
        // An interval that is not a number, or longer than a century, is no limit.
        set { lossLimit = newValue < 3e9 ? .milliseconds(Int64(max(newValue, 0) * 1000)) : nil }
    }
}

// A session copies its configuration, and the copy keeps only the properties that Foundation knows: nothing can be
// attached to it, and a copy is not observable. The list of protocol classes is copied, though, with the static
// properties of each class. So there is one class for each combination of the settings, and the settings are stored in
// the list: they survive every copy, need no table beside the configurations, and are released with them.

/// A setting represented as a type.
protocol SettingFlag {
    static var isSet: Bool { get }
}

enum Yes: SettingFlag { static let isSet = true }
enum No: SettingFlag { static let isSet = false }

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

/// The protocol class for one combination of settings; `LossLimit` is in milliseconds, plus one, and 0 is no limit.
final class ConnectivityURLProtocolVariant<
    Fails: SettingFlag, Waits: SettingFlag, Expensive: SettingFlag, Constrained: SettingFlag, LossLimit: SettingNumber
>: ConnectivityURLProtocol {
    override class var settings: ConnectivitySettings {
        ConnectivitySettings(
            fails: Fails.isSet, waits: Waits.isSet, allowsExpensive: Expensive.isSet,
            allowsConstrained: Constrained.isSet,
            lossLimit: LossLimit.value == 0 ? nil : .milliseconds(LossLimit.value - 1))
    }
}

extension ConnectivitySettings {
    /// The protocol class with these settings; nil for Foundation's default behaviour.
    var protocolClass: ConnectivityURLProtocol.Type? {
        if self == ConnectivitySettings() { return nil }
        let number = lossLimit.map { Int64($0 / .milliseconds(1)) + 1 } ?? 0
        return variant(Self.number(number))
    }

    private static func number(_ value: Int64) -> any SettingNumber.Type {
        value == 0 ? Zero.self : number(value / 2).appending(value % 2)
    }

    private func variant<Loss: SettingNumber>(_ loss: Loss.Type) -> ConnectivityURLProtocol.Type {
        fails ? variant(Yes.self, loss) : variant(No.self, loss)
    }

    private func variant<Fails: SettingFlag, Loss: SettingNumber>(
        _ fails: Fails.Type, _ loss: Loss.Type
    ) -> ConnectivityURLProtocol.Type {
        waits ? variant(fails, Yes.self, loss) : variant(fails, No.self, loss)
    }

    private func variant<Fails: SettingFlag, Waits: SettingFlag, Loss: SettingNumber>(
        _ fails: Fails.Type, _ waits: Waits.Type, _ loss: Loss.Type
    ) -> ConnectivityURLProtocol.Type {
        switch (allowsExpensive, allowsConstrained) {
        case (true, true): ConnectivityURLProtocolVariant<Fails, Waits, Yes, Yes, Loss>.self
        case (true, false): ConnectivityURLProtocolVariant<Fails, Waits, Yes, No, Loss>.self
        case (false, true): ConnectivityURLProtocolVariant<Fails, Waits, No, Yes, Loss>.self
        case (false, false): ConnectivityURLProtocolVariant<Fails, Waits, No, No, Loss>.self
        }
    }
}

#endif
