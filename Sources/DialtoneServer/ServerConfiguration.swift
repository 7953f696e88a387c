//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Dialtone

/// How a server is to be.
public struct ServerConfiguration: Sendable {
    /// Where it listens; 127.0.0.1:4780 unless told otherwise.
    public var listen: ListenAddress
    /// Further names by which browsers may call it, such as that of a proxy in front.
    public var allowedHosts: [String] = []
    /// What others than this machine's own users must know; needed when it listens on other than loopback.
    public var token: String?
    /// The hosts whose reachability is watched.
    public var hosts: [HostTarget] = []
    /// What the button asks for.
    public var requestURL: String
    /// Whether visitors may type hosts, and play networks.
    public var isDemo = false
    /// The name of this machine, for people.
    public var machineName: String
    /// The version of the program, for the metrics.
    public var version = "0"
    /// The limits on what strangers may ask.
    var limits = HTTPLimits()
    /// How often a stream without news shows that it is there.
    var heartbeat = Duration.seconds(15)

    /// The usual address.
    public static let standardListen = ListenAddress(loopback, port: 4780)

    /// Makes the usual configuration.
    ///
    /// - Parameters:
    ///   - requestURL: what the button asks for.
    ///   - machineName: the name of this machine, for people.
    public init(
        listen: ListenAddress = Self.standardListen, requestURL: String = Self.standardRequestURL,
        machineName: String = Self.nameOfThisMachine
    ) {
        self.listen = listen
        self.requestURL = requestURL
        self.machineName = machineName
    }

    /// What the button asks for unless told otherwise: the last of the usual endpoints of checks.
    public static let standardRequestURL = "https://cp.cloudflare.com/generate_204"

    /// 127.0.0.1.
    private static var loopback: HostAddress {
        guard let address = HostAddress(bytes: [127, 0, 0, 1]) else { preconditionFailure("four bytes are an address") }
        return address
    }
}
