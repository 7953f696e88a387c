// SPDX-License-Identifier: Apache-2.0

// The trait `AsyncHTTPClient` brings the client; without it, the module is empty.

#if AsyncHTTPClient
@_exported public import AsyncHTTPClient
@_exported public import Dialtone
#endif
