// SPDX-License-Identifier: Apache-2.0

extension Facts {
    /// The names of this network and of what its user chose: URLs, their hosts, operators, and Wi-Fi networks.
    ///
    /// The default endpoints are the same everywhere, and are not among them.
    package var ownNames: [String] {
        let defaults = [InternetCheck.Endpoint].defaults
        let own = operators.filter { evidence in !defaults.contains { $0.url == evidence.url } }
        let portals =
            operators.compactMap(\.portal)
            + [secondPage?.portal, answers?.portal, captivePortalAPI?.state?.userPortal].compactMap(\.self)
        let urls =
            own.map(\.url) + operators.compactMap(\.proxy) + [captivePortalAPI?.url].compactMap(\.self)
            + portals.map(\.absoluteString)
        let hosts = urls.compactMap { try? ProbeTarget($0).host }
        let names = own.compactMap(\.operatorName) + path.interfaces.compactMap(\.networkName)
        return (urls + urls.map(\.withoutSecrets) + hosts + names).filter { !$0.isEmpty }
    }
}
