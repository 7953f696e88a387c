// SPDX-License-Identifier: Apache-2.0

import CLibrary

/// Constants whose Swift types differ between C libraries.
enum SocketConstant {
    static func type(_ kind: Sockets.Kind) -> Int32 {
        #if canImport(Glibc)
        Int32((kind == .stream ? SOCK_STREAM : SOCK_DGRAM).rawValue)
        #else
        kind == .stream ? SOCK_STREAM : SOCK_DGRAM
        #endif
    }

    /// The type of a new socket that other programs, started at the same time, must not inherit.
    static func newSocket(_ kind: Sockets.Kind) -> Int32 {
        #if canImport(Glibc)
        type(kind) | Int32(SOCK_CLOEXEC.rawValue)
        #elseif canImport(Darwin)
        type(kind)
        #else
        type(kind) | SOCK_CLOEXEC
        #endif
    }

    /// A flag that keeps a send on a closed connection from raising SIGPIPE; platforms without it use a socket option.
    static var noSignal: Int32 {
        #if canImport(Darwin)
        0
        #else
        Int32(MSG_NOSIGNAL)
        #endif
    }
}
