// SPDX-License-Identifier: Apache-2.0

// On Linux AppleCombine provides OpenCombine if the trait `Publishers` is enabled; see MissingTrait.swift.

#if canImport(Darwin) || Publishers
@_exported public import AppleCombine
@_exported public import Dialtone
#endif
