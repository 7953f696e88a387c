//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)

extension NWPath {
    /// Whether connections can use a path.
    public enum Status: Hashable, Sendable {
        /// A usable route exists.
        case satisfied

        /// No usable route exists, or policy forbids it.
        case unsatisfied

        /// No route exists yet, but trying to connect may bring one up.
        case requiresConnection
    }

    /// Why a path is unsatisfied.
    public enum UnsatisfiedReason: Hashable, Sendable {
        /// No reason is given. Satisfied paths say this too.
        case notAvailable

        /// The user forbids cellular data: on Linux, the modem's radio is switched off (rfkill).
        case cellularDenied

        /// The user forbids Wi-Fi: on Linux, its radio is switched off (rfkill) and nothing else is on.
        case wifiDenied

        /// The user forbids access to the local network.
        case localNetworkDenied

        /// A VPN that must be up is not.
        ///
        /// Never on Linux, which does not know that one must be: a kill switch shows as `routeUnreachable` in the diagnosis.
        case vpnInactive
    }

    /// How capable a link is expected to be.
    public enum LinkQuality: Hashable, Sendable {
        /// Nobody has measured it.
        case unknown

        /// Barely usable.
        case minimal

        /// Usable for most things.
        case moderate

        /// As good as the link can be.
        case good
    }
}

#endif
