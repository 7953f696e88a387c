// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if !canImport(Darwin)

// Source files that watch paths often make connections too. These names are declared so that the error suggests a fix.

@available(*, unavailable, message: "OpenNetwork has no connections: use sockets, SwiftNIO or URLSession on Linux")
public final class NWConnection {}

@available(*, unavailable, message: "OpenNetwork has no connections: use sockets, SwiftNIO or URLSession on Linux")
public final class NWConnectionGroup {}

@available(*, unavailable, message: "OpenNetwork has no listeners: use sockets or SwiftNIO on Linux")
public final class NWListener {}

@available(*, unavailable, message: "OpenNetwork has no browsers: use a DNS-SD library on Linux")
public final class NWBrowser {}

@available(*, unavailable, message: "OpenNetwork has no connections: use sockets, SwiftNIO or URLSession on Linux")
public final class NWParameters {
    public init() {}
}

@available(*, unavailable, message: "OpenNetwork has no connections: use sockets, SwiftNIO or URLSession on Linux")
public enum NWError {}

// The same since version 26 of Apple's systems.

@available(*, unavailable, message: "OpenNetwork has no connections: use sockets, SwiftNIO or URLSession on Linux")
public final class NetworkConnection<ApplicationProtocol> {}

@available(*, unavailable, message: "OpenNetwork has no listeners: use sockets or SwiftNIO on Linux")
public final class NetworkListener<ApplicationProtocol> {}

@available(*, unavailable, message: "OpenNetwork has no browsers: use a DNS-SD library on Linux")
public final class NetworkBrowser<Provider> {}

@available(*, unavailable, message: "OpenNetwork has no connections: use sockets, SwiftNIO or URLSession on Linux")
public protocol NWParametersProvider {}

@available(*, unavailable, message: "OpenNetwork has no connections: use sockets, SwiftNIO or URLSession on Linux")
public func withNetworkConnection<Parameters, Result>(
    to endpoint: NWEndpoint, using parameters: Parameters, _ body: (Never) async throws -> Result
) async throws {}

#endif
