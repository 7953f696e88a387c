//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What keeps a radio switched off (rfkill).
public enum RadioBlock: Hashable, Sendable {
    /// A setting: flight mode, `rfkill block`.
    case software
    /// A switch or key of the machine.
    case hardware
}

/// A radio's switch.
struct RadioSwitch: Hashable {
    /// The kinds of radio that matter here, as sysfs spells them.
    enum Kind: String { case wlan, wwan }

    /// The radio's name, such as `phy0`.
    var name: String
    var type: Kind
    var block: RadioBlock?
}

extension [RadioSwitch] {
    /// What keeps a radio from working: its own switch, or when none has its name, all of its type being off.
    func block(of type: RadioSwitch.Kind, named name: String?) -> RadioBlock? {
        let ofType = filter { $0.type == type }
        if let name, let own = ofType.first(where: { $0.name == name }) { return own.block }
        guard let first = ofType.first?.block, ofType.allSatisfy({ $0.block != nil }) else { return nil }
        return ofType.contains { $0.block == .hardware } ? .hardware : first
    }
}
