//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

extension String {
    /// This text as the framework describes scoped things: followed by `%` and the interface's name.
    func scoped(to interface: NWInterface?) -> String {
        guard let interface else { return self }
        return "\(self)%\(interface.name)"
    }
}

#endif
