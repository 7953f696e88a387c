// SPDX-License-Identifier: Apache-2.0

@_exported public import Dialtone
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
