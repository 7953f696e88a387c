//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)
import Foundation
import FoundationNetworking

// A session copies its configuration, and keeps of the copy only what Foundation knows: nothing can be attached to it,
// and nobody tells when it is copied. The list of protocol classes is copied, though, and what a class says of itself
// goes with it. So there is one class for each combination of the settings, and the settings live in the list: they
// survive every copy, need no table beside the configurations, and end with them.

/// One setting, as a type.
protocol GateFlag {
    static var isSet: Bool { get }
}

enum Yes: GateFlag { static let isSet = true }
enum No: GateFlag { static let isSet = false }

/// The gate for one combination of settings.
final class GateClass<Waits: GateFlag, Expensive: GateFlag, Constrained: GateFlag>: ConnectivityGate {
    override class var settings: ConnectivitySettings {
        ConnectivitySettings(
            waits: Waits.isSet, allowsExpensive: Expensive.isSet, allowsConstrained: Constrained.isSet)
    }
}

extension ConnectivitySettings {
    /// The gate that goes by these settings; nil for those that Foundation has by itself.
    var gate: ConnectivityGate.Type? {
        switch (waits, allowsExpensive, allowsConstrained) {
        case (false, true, true): nil
        case (false, true, false): GateClass<No, Yes, No>.self
        case (false, false, true): GateClass<No, No, Yes>.self
        case (false, false, false): GateClass<No, No, No>.self
        case (true, true, true): GateClass<Yes, Yes, Yes>.self
        case (true, true, false): GateClass<Yes, Yes, No>.self
        case (true, false, true): GateClass<Yes, No, Yes>.self
        case (true, false, false): GateClass<Yes, No, No>.self
        }
    }
}
#endif
