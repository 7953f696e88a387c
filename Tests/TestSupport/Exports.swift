// SPDX-License-Identifier: Apache-2.0

@_exported public import NetlinkTesting

@_exported public import struct SystemSupport.SeededGenerator
