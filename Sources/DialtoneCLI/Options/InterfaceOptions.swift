//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Dialtone

/// Which interfaces count: `--interface` and `--not`.
struct InterfaceOptions: ParsableArguments {
    @Option(help: "Only this type of interface (wifi, cellular, wired, loopback, other), or the one with this name.")
    var interface: String?

    @Option(name: .customLong("not"), help: "Not this type of interface; may be repeated.")
    var prohibited: [InterfaceKind] = []

    /// Whether every interface counts.
    var isEmpty: Bool { interface == nil && prohibited.isEmpty }

    /// The filter that these options make.
    ///
    /// - Parameter mayBeMissing: whether the interface may be one that does not exist yet.
    /// - Throws: `ValidationError` when no interface has the name.
    func filter(mayBeMissing: Bool = false) throws -> PathFilter {
        var filter = PathFilter(prohibitedTypes: Set(prohibited.map(\.type)))
        guard let interface else { return filter }
        if let kind = InterfaceKind(rawValue: interface) {
            filter.requiredType = kind.type
        } else {
            let names = NetworkPath.interfacesOfThisMachine().map(\.name)
            guard mayBeMissing || names.contains(interface) else {
                throw ValidationError(
                    "There is no interface '\(Printable.text(interface))'. There are: "
                        + names.map(Printable.text).joined(separator: ", ")
                        + "; or name a type: \(InterfaceKind.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            filter.interfaceName = interface
        }
        return filter
    }
}

extension InterfaceKind: ExpressibleByArgument {}
