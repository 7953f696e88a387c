//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What host reachability needs of the world, so that tests can give it another.
package struct HostEnvironment: Sendable {
    /// Opens a TCP socket that does not block.
    typealias OpenSocket = @Sendable (IPVersion) throws(SocketFailure) -> SocketDescriptor

    /// The source of routing information.
    package var routing: any HostRouting
    /// The resolver of names.
    var resolver: any NameResolver
    /// Opens sockets.
    var openSocket: OpenSocket
    /// The waits; the bound comes with the check.
    var pace = HappyEyeballs.Pace()
}

extension HostEnvironment {
    /// The world as it is.
    package static var live: HostEnvironment {
        #if canImport(Darwin)
        HostEnvironment(routing: PathRouting(), resolver: HostResolver()) { version throws(SocketFailure) in
            try Sockets.openSocket(version, .stream)
        }
        #else
        HostEnvironment(routing: KernelRouting(), resolver: HostResolver()) { version throws(SocketFailure) in
            try Sockets.openSocket(version, .stream)
        }
        #endif
    }
}
