// SPDX-License-Identifier: Apache-2.0

/// Exports what `import Combine` provides on Apple platforms, and nothing of Dialtone, for source files written for
/// Combine.
///
/// On Linux, the trait `Publishers` provides OpenCombine. Without the trait, this module exports only Foundation, and
/// the compiler's errors for `Publisher` and related names state the fix (see `MissingTrait.swift`).

#if canImport(Darwin)
@_exported public import Combine
#else
@_exported public import DispatchConstants
@_exported public import Foundation
#if Publishers
@_exported public import OpenCombineShim
#endif
#endif
