// SPDX-License-Identifier: Apache-2.0

/// The dependencies of host reachability, which tests replace.
package struct HostEnvironment: Sendable {
    /// Opens a non-blocking TCP socket.
    typealias OpenSocket = @Sendable (IPVersion) throws(SocketFailure) -> SocketDescriptor

    /// The source of routing information.
    package var routing: any HostRouting
    /// The resolver of names.
    var resolver: any NameResolver
    /// Opens sockets.
    var openSocket: OpenSocket
    /// The delays between attempts; the time limit comes from the check.
    var pace = HappyEyeballs.Pace()
}

extension HostEnvironment {
    /// The system's own.
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
