// SPDX-License-Identifier: Apache-2.0

/// The domains of resolv.conf(5) that the C library appends to a name.
enum SearchDomains {
    /// The number of dots with which a name is tried as it is before the search domains: `options ndots:N`, by default
    /// 1.
    static func dots(in configuration: String) -> Int {
        var dots = 1
        for line in configuration.split(whereSeparator: \.isNewline) where line.hasPrefix("options") {
            for option in line.split(whereSeparator: \.isWhitespace) where option.hasPrefix("ndots:") {
                if let number = Int(option.dropFirst("ndots:".count)), number >= 0 { dots = number }
            }
        }
        return dots
    }

    /// The name to pass to the C library, so that it appends no search domain to a name with a dot.
    ///
    /// A wildcard in a search domain would resolve an unknown name to another host. The C library finds names with a
    /// trailing dot neither in the hosts file nor by multicast DNS, so names that may be there stay as they are.
    ///
    /// - Parameter obeysNDots: whether a name with fewer dots than the configuration's `ndots` stays as it is: an
    ///   administrator who raises `ndots`, as Kubernetes does, wants such names to be searched for.
    static func absoluteName(_ name: String, obeysNDots: Bool) -> String {
        let lower = name.lowercased()
        guard name.contains("."), !name.hasSuffix("."), NetworkAddress(name) == nil, !lower.hasSuffix(".local"),
            !HostName.isLocalhost(lower)
        else { return name }
        if obeysNDots {
            let dots = name.utf8.count { $0 == UInt8(ascii: ".") }
            if dots < Self.dots(in: NameServiceFiles.text("/etc/resolv.conf") ?? "") { return name }
        }
        return HostsFileReader.system.read().addresses(of: name).isEmpty ? name + "." : name
    }
}
