//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

import NetworkState

/// Finds an interface of this host by name or index: the one place that decides how.
enum InterfaceLookup {
    /// The interface called `name`, which may be one of the alternative names the kernel keeps for it.
    static func interface(named name: String) -> NWInterface? {
        LibC.interfaceIndex(named: name).flatMap(interface(index:))
    }

    /// The interface with the kernel's index `index`, under its primary name.
    ///
    /// Where a sandbox hides the kernel's own account of it, its type is not known.
    static func interface(index: Int) -> NWInterface? {
        let interfaces = (try? KernelSource.currentInterfaces()) ?? []
        if let known = interfaces.first(where: { Int($0.index) == index }) { return NWInterface(known) }
        return LibC.interfaceName(index: index).map { NWInterface(type: .other, name: $0, index: index) }
    }
}

extension NWInterface {
    /// Finds the interface called `name`.
    init?(_ name: String) {
        guard let interface = InterfaceLookup.interface(named: name) else { return nil }
        self = interface
    }

    /// Finds the interface with the kernel's index `index`.
    init?(_ index: Int) {
        guard let interface = InterfaceLookup.interface(index: index) else { return nil }
        self = interface
    }
}

#endif
