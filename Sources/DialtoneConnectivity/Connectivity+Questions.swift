// SPDX-License-Identifier: Apache-2.0

extension Connectivity {
    /// Whether the Internet has answered over this path.
    public var isOnline: Bool { state == .online }

    /// Whether there is no path to the Internet at present.
    ///
    /// It is false while the state is unknown, so it is not the opposite of `isOnline`.
    public var isOffline: Bool { state == .offline || state == .requiresConnection }

    /// Whether the Internet has answered, and Wi-Fi carries the traffic, directly or under a tunnel.
    public var isOnlineViaWiFi: Bool { isOnline && uses(.wifi) }

    /// Whether the Internet has answered, and a mobile network carries the traffic, directly or under a tunnel.
    public var isOnlineViaCellular: Bool { isOnline && uses(.cellular) }

    /// Whether the Internet has answered, and a wired link carries the traffic, directly or under a tunnel.
    public var isOnlineViaWiredEthernet: Bool { isOnline && uses(.wiredEthernet) }

    /// Whether Wi-Fi is connected, but checks could not reach the full Internet over it: only a login page, or less.
    public var isOnWiFiWithoutInternet: Bool { isWithoutInternet && uses(.wifi) }

    /// Whether a mobile network is connected, but checks could not reach the full Internet over it.
    public var isOnCellularWithoutInternet: Bool { isWithoutInternet && uses(.cellular) }

    /// Whether a wired link is connected, but checks could not reach the full Internet over it.
    public var isOnWiredEthernetWithoutInternet: Bool { isWithoutInternet && uses(.wiredEthernet) }

    /// Whether there is a path, but checks could not reach the full Internet over it.
    public var isWithoutInternet: Bool { state == .limited || state == .captivePortal }

    private func uses(_ type: NWInterface.InterfaceType) -> Bool { path.usedInterfaceTypes.contains(type) }
}

extension NetworkPath {
    /// Whether the path uses an interface of this type, directly or under a tunnel.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { usedInterfaceTypes.contains(type) }
}

extension HostReport {
    /// Whether the host is reachable, as far as `verdict` shows.
    public var isReachable: Bool { verdict == .reachable }
}

extension InternetCheck.Report {
    /// Whether the check verified that the path leads to the Internet.
    public var isVerified: Bool { verdict == .verified }
}
