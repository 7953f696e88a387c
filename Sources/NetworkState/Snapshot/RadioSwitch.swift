// SPDX-License-Identifier: Apache-2.0

/// The kind of switch that keeps a radio off (rfkill).
public enum RadioBlock: Hashable, Sendable {
    /// A setting, such as airplane mode or `rfkill block`.
    case software
    /// A physical switch or key of the machine.
    case hardware
}

/// The rfkill switch of a radio.
struct RadioSwitch: Hashable {
    /// The relevant kinds of radio, as sysfs spells them.
    enum Kind: String { case wlan, wwan }

    /// The radio's name, such as `phy0`.
    var name: String
    var type: Kind
    var block: RadioBlock?
}

extension [RadioSwitch] {
    /// Returns what keeps a radio off: its own switch or, if none has its name, the switches of its type if all are off.
    func block(of type: RadioSwitch.Kind, named name: String?) -> RadioBlock? {
        let ofType = filter { $0.type == type }
        if let name, let own = ofType.first(where: { $0.name == name }) { return own.block }
        guard let first = ofType.first?.block, ofType.allSatisfy({ $0.block != nil }) else { return nil }
        return ofType.contains { $0.block == .hardware } ? .hardware : first
    }
}
