// SPDX-License-Identifier: Apache-2.0

// The C library, under one name for every platform; files that call it import this module. Such an import is internal
// and does not affect the users of a library. Only files whose public declarations use C types import the C library
// themselves.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#elseif canImport(Darwin)
@_exported public import Darwin
#endif
