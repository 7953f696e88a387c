//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)
public import FoundationNetworking

extension URLSessionConfiguration {
    /// Whether tasks wait for connectivity instead of failing at once; false unless changed.
    ///
    /// It is what it is on Apple platforms: a task that finds no network, or only one that it may not use, waits and then
    /// goes on by itself. While it waits `timeoutIntervalForRequest` does not run, but `timeoutIntervalForResource` does,
    /// and ends it with `timedOut`. A connection that breaks later is an error as ever. The session's delegate hears of
    /// the wait once, if it is a `URLSessionConnectivityDelegate`.
    ///
    /// All tasks for `http` and `https` of sessions that are made with the configuration honour it, whoever makes them and
    /// however they are begun. Hosts on this machine and on its own links are never waited for.
    ///
    /// The settings are kept in `protocolClasses`, which a session takes over: to use protocol classes of your own, set
    /// them before, or insert them behind the first.
    public var waitsForConnectivity: Bool {
        get { connectivitySettings.waits }
        set { connectivitySettings.waits = newValue }
    }

    /// Whether tasks may use a network that costs by volume; true unless changed.
    ///
    /// A task that finds only such networks waits, or fails with `notConnectedToInternet` and the `networkUnavailableReason`
    /// `expensive`. See `waitsForConnectivity` for how it is kept.
    public var allowsExpensiveNetworkAccess: Bool {
        get { connectivitySettings.allowsExpensive }
        set { connectivitySettings.allowsExpensive = newValue }
    }

    /// Whether tasks may use a network that the user wants to carry little data; true unless changed.
    ///
    /// A task that finds only such networks waits, or fails with `notConnectedToInternet` and the `networkUnavailableReason`
    /// `constrained`. See `waitsForConnectivity` for how it is kept.
    public var allowsConstrainedNetworkAccess: Bool {
        get { connectivitySettings.allowsConstrained }
        set { connectivitySettings.allowsConstrained = newValue }
    }

    var connectivitySettings: ConnectivitySettings {
        get {
            let gate = protocolClasses?.lazy.compactMap { $0 as? ConnectivityGate.Type }.first
            return gate?.settings ?? ConnectivitySettings()
        }
        set {
            let others = (protocolClasses ?? []).filter { !($0 is ConnectivityGate.Type) }
            protocolClasses = (newValue.gate.map { [$0] } ?? []) + others
        }
    }
}
#endif
