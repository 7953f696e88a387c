// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import FoundationNetworking

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

/// The protocol class for one combination of settings.
final class ConnectivityURLProtocolVariant<
    Fails: SettingFlag, Waits: SettingFlag, Expensive: SettingFlag, Constrained: SettingFlag
>: ConnectivityURLProtocol {
    override class var settings: ConnectivitySettings {
        ConnectivitySettings(
            fails: Fails.isSet, waits: Waits.isSet, allowsExpensive: Expensive.isSet,
            allowsConstrained: Constrained.isSet)
    }
}

extension ConnectivitySettings {
    /// The protocol class with these settings; nil for Foundation's default behaviour.
    var protocolClass: ConnectivityURLProtocol.Type? {
        if self == ConnectivitySettings() { return nil }
        return fails ? variant(Yes.self) : variant(No.self)
    }

    private func variant<Fails: SettingFlag>(_ fails: Fails.Type) -> ConnectivityURLProtocol.Type {
        switch (waits, allowsExpensive, allowsConstrained) {
        case (false, true, true): ConnectivityURLProtocolVariant<Fails, No, Yes, Yes>.self
        case (false, true, false): ConnectivityURLProtocolVariant<Fails, No, Yes, No>.self
        case (false, false, true): ConnectivityURLProtocolVariant<Fails, No, No, Yes>.self
        case (false, false, false): ConnectivityURLProtocolVariant<Fails, No, No, No>.self
        case (true, true, true): ConnectivityURLProtocolVariant<Fails, Yes, Yes, Yes>.self
        case (true, true, false): ConnectivityURLProtocolVariant<Fails, Yes, Yes, No>.self
        case (true, false, true): ConnectivityURLProtocolVariant<Fails, Yes, No, Yes>.self
        case (true, false, false): ConnectivityURLProtocolVariant<Fails, Yes, No, No>.self
        }
    }
}
#endif
