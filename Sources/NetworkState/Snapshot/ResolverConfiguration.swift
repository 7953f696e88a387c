//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Netlink

/// Which name servers this host asks: resolv.conf(5).
public struct ResolverConfiguration: Hashable, Sendable {
    /// A name server.
    public struct Server: Hashable, Sendable {
        /// Its address.
        public var address: InetAddress
        /// The link of a link-local address, by name or number.
        public var scope: String?

        /// Makes a server.
        public init(_ address: InetAddress, scope: String? = nil) {
            self.address = address
            self.scope = scope
        }
    }

    /// The servers, in the order in which they are asked.
    public var servers: [Server]
    /// Domains that are tried behind a short name.
    public var searchDomains: [String]

    /// Makes a configuration.
    public init(servers: [Server] = [], searchDomains: [String] = []) {
        self.servers = servers
        self.searchDomains = searchDomains
    }

    /// Reads the text of a resolv.conf.
    ///
    /// Lines that say nothing it knows are skipped, as the C library does.
    public init(parsing text: String) {
        self.init()
        for line in text.split(whereSeparator: \.isNewline) {
            // A keyword counts only at the beginning of its line.
            guard let first = line.first, !"#; \t".contains(first) else { continue }
            let words = line.split { $0 == " " || $0 == "\t" }
            switch words.first {
            case "nameserver":
                guard words.count > 1, let server = Server(parsing: words[1]) else { continue }
                servers.append(server)
            case "search", "domain":
                // The last of these lines wins.
                searchDomains = words.dropFirst().map(String.init)
            default:
                continue
            }
        }
    }

    /// Whether every server is a local forwarder of systemd-resolved, whose own servers are listed elsewhere.
    var isResolvedStub: Bool {
        let stubs = [InetAddress(127, 0, 0, 53), InetAddress(127, 0, 0, 54)]
        return !servers.isEmpty && servers.allSatisfy { stubs.contains($0.address) }
    }
}

extension ResolverConfiguration.Server {
    fileprivate init?(parsing word: some StringProtocol) {
        let parts = word.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ InetAddress(String($0)) }) else { return nil }
        self.init(address, scope: parts.count > 1 ? String(parts[1]) : nil)
    }
}
