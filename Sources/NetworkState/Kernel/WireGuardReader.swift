//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
import Netlink

/// Reads where WireGuard's peers are: generic netlink `wireguard`, which the kernel lets only the administrator read.
///
/// It belongs to one thread.
final class WireGuardReader {
    private var socket: GenericNetlink?
    /// Whether the kernel has said that this program may not know: it will not say otherwise later.
    private var isRefused = false

    /// A link's peers; nil where they cannot be read.
    func device(_ index: Int32) -> WireGuardDevice? {
        guard !isRefused else { return nil }
        if socket == nil { socket = try? GenericNetlink() }
        do throws(NetlinkError) {
            return try socket?.wireGuardDevice(index) ?? nil
        } catch {
            isRefused = error.errno == .notPermitted || error.errno == .permissionDenied
            socket = nil
            return nil
        }
    }
}
#endif
