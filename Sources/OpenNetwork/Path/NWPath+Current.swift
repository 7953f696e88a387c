//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

package import NetworkState

extension NWPath {
    /// The path of this moment under some requirements, read from the kernel without watching it.
    ///
    /// It is that of the calling thread's network namespace.
    ///
    /// - Parameter seconds: how long NetworkManager may take, where it runs, to say what links cost.
    package static func current(_ requirements: PathRequirements, awaitingCosts seconds: Double) -> NWPath {
        NWPath(PathContents(KernelSource.currentSnapshot(awaitingCosts: seconds), requirements))
    }
}

#endif
