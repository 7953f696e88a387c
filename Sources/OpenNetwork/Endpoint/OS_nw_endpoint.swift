//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

/// An endpoint object of the C interface, as Swift sees it on Apple platforms.
///
/// Here it exists so that source with a case for ``NWEndpoint/opaque(_:)`` compiles; this module never makes one.
public protocol OS_nw_endpoint: AnyObject, Sendable {}

// swift-format-ignore: TypeNamesShouldBeCapitalized
/// The name C gives an endpoint object.
public typealias nw_endpoint_t = any OS_nw_endpoint

#endif
