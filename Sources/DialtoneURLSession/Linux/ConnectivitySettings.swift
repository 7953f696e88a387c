// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// The part of a session's configuration that concerns connectivity.
struct ConnectivitySettings: Hashable, Sendable {
    /// Whether tasks fail at once without connectivity, unless they are set to wait.
    var fails = false
    var waits = false
    var allowsExpensive = true
    var allowsConstrained = true
}
#endif
