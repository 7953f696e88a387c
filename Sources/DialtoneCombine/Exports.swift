//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The one file that knows where Combine comes from. On Linux the trait `Publishers` brings it; without, the module is empty.

#if canImport(Darwin)
@_exported public import Combine
@_exported public import Dialtone
#elseif Publishers
@_exported public import Dialtone
@_exported public import OpenCombineShim
#endif
