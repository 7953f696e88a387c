// SPDX-License-Identifier: Apache-2.0

import Combine
import DialtoneCombine
import Foundation

/// The three Combine providers: over flags, over paths, and around another library's object.
func watchProviders(_ flags: Table.Row, _ path: Table.Row, _ other: Table.Row) -> [AnyCancellable] {
    var providers: [(any NetworkReachabilityProvider, Table.Row)] = [(NetworkMonitor(), path)]
    if let reachability = NetworkReachability() { providers.append((reachability, flags)) }
    if let reachability = PostingReachability() {
        providers.append((CallbackReachabilityProvider(PostingReachabilityAdapter(reachability)), other))
    }
    return providers.map { provider, row in
        let subscription = provider.networkStatusHandler.sink { row.show(text($0)) }
        provider.startListening()
        // The provider stops when it is released.
        return AnyCancellable {
            provider.stopListening()
            subscription.cancel()
        }
    }
}

private func text(_ status: NetworkReachabilityStatus) -> String {
    switch status {
    case .unknown: "unknown"
    case .notReachable: "not reachable"
    case .reachable(.ethernetOrWiFi): "reachable, Ethernet or Wi-Fi"
    case .reachable(.wwan): "reachable, mobile network"
    }
}
