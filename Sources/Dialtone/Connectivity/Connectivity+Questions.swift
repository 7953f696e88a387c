//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Connectivity {
    /// Whether the Internet has answered over this path.
    public var isOnline: Bool { state == .online }

    /// Whether the Internet has answered, and Wi-Fi carries the traffic, by itself or under a tunnel.
    public var isOnlineViaWiFi: Bool { isOnline && uses(.wifi) }

    /// Whether the Internet has answered, and a mobile network carries the traffic, by itself or under a tunnel.
    public var isOnlineViaCellular: Bool { isOnline && uses(.cellular) }

    /// Whether the Internet has answered, and a cable carries the traffic, by itself or under a tunnel.
    public var isOnlineViaWiredEthernet: Bool { isOnline && uses(.wiredEthernet) }

    /// Whether there is a Wi-Fi network, but checks found no full Internet behind it: a login page, or less.
    public var isOnWiFiWithoutInternet: Bool { isWithoutInternet && uses(.wifi) }

    /// Whether there is a mobile network, but checks found no full Internet behind it.
    public var isOnCellularWithoutInternet: Bool { isWithoutInternet && uses(.cellular) }

    /// Whether there is a cable, but checks found no full Internet behind it.
    public var isOnWiredEthernetWithoutInternet: Bool { isWithoutInternet && uses(.wiredEthernet) }

    /// Whether there is a path over which checks found no full Internet.
    public var isWithoutInternet: Bool { state == .limited || state == .captivePortal }

    private func uses(_ type: NWInterface.InterfaceType) -> Bool { path.usedInterfaceTypes.contains(type) }
}
