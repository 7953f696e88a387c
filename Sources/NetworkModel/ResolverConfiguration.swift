// SPDX-License-Identifier: Apache-2.0

/// The name servers that this host uses (resolv.conf(5)).
public struct ResolverConfiguration: Hashable, Sendable {
    /// A name server.
    public struct Server: Hashable, Sendable, CustomStringConvertible {
        /// The server's address; in a state of this machine, a link-local one has its interface's index as scope.
        public var address: NetworkAddress
        /// The link of a link-local address, by name or index.
        public var scope: String?

        /// Creates a server from its address.
        public init(_ address: NetworkAddress, scope: String? = nil) {
            self.address = address
            self.scope = scope
        }

        /// The address, followed by `%` and its link as it is configured.
        public var description: String { scope.map { "\(address.unscoped)%\($0)" } ?? "\(address)" }

        /// The server with its link's index as the scope of its address; nil if there is no such link.
        ///
        /// - Parameter index: returns the index of the link with a name.
        package func scoped(_ index: (String) -> UInt32?) -> Self? {
            guard let scope else { return self }
            guard address.version == .ipv6, let number = UInt32(scope) ?? index(scope), number != 0 else { return nil }
            return Self(NetworkAddress(version: .ipv6, bits: address.bits, scope: number), scope: scope)
        }
    }

    /// The servers, in the order in which they are queried.
    public var servers: [Server]
    /// The domains that are appended to short names.
    public var searchDomains: [String]

    /// Creates a configuration; without arguments it has no server.
    public init(servers: [Server] = [], searchDomains: [String] = []) {
        self.servers = servers
        self.searchDomains = searchDomains
    }

    /// Parses the text of a resolv.conf.
    ///
    /// Unknown lines are skipped, as in the C library.
    public init(parsing text: String) {
        self.init()
        for line in text.split(whereSeparator: \.isNewline) {
            // A keyword is recognized only at the beginning of its line.
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

    /// Whether every server is a local forwarder of systemd-resolved, whose upstream servers are listed elsewhere.
    package var isResolvedStub: Bool {
        let stubs = [NetworkAddress(127, 0, 0, 53), NetworkAddress(127, 0, 0, 54)]
        return !servers.isEmpty && servers.allSatisfy { stubs.contains($0.address) }
    }
}

extension ResolverConfiguration.Server {
    fileprivate init?(parsing word: some StringProtocol) {
        let parts = word.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ NetworkAddress(String($0)) }) else { return nil }
        self.init(address, scope: parts.count > 1 ? String(parts[1]) : nil)
    }
}
