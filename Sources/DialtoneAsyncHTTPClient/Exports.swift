// SPDX-License-Identifier: Apache-2.0

// The trait `AsyncHTTPClient` brings the client; without it, see MissingTrait.swift.

#if AsyncHTTPClient
@_exported public import AsyncHTTPClient
@_exported public import Dialtone
#endif
