// SPDX-License-Identifier: Apache-2.0

/// The classes that report the network, in the order of the rows; the raw value is the row's name.
enum Variant: String, Hashable, Sendable, CaseIterable {
    case zeroAddress = "SCNetworkReachability, zero address"
    case hostName = "SCNetworkReachability, host name"
    case addressPair = "SCNetworkReachability, address pair"
    case path = "NWPathMonitor"
    case wifiPath = "NWPathMonitor, Wi-Fi only"
    case pathObject = "nw_path_monitor_t"
    #if Publishers
    case reachabilityProvider = "NetworkReachability"
    case pathProvider = "NetworkMonitor"
    case callbackProvider = "CallbackReachabilityProvider"
    #endif
    case pathSequence = "NetworkPath.updates()"
    case connectivity = "ConnectivityMonitor"
    case waitingTask = "WaitingRoom, as for a URLSession task"
    case lastRequest = "Last request"

    /// The report of a class, and its module.
    enum Group: String, Hashable, Sendable, CaseIterable {
        case flags = "Reachability flags"
        case paths = "Paths"
        case providers = "Combine publishers"
        case connectivity = "Connectivity and requests"

        var module: String {
            switch self {
            case .flags: "OpenSystemConfiguration"
            case .paths: "OpenNetwork"
            case .providers: "DialtoneCombine"
            case .connectivity: "Dialtone"
            }
        }
    }

    var group: Group {
        switch self {
        case .zeroAddress, .hostName, .addressPair: .flags
        case .path, .wifiPath, .pathObject: .paths
        #if Publishers
        case .reachabilityProvider, .pathProvider, .callbackProvider: .providers
        #endif
        case .pathSequence, .connectivity, .waitingTask, .lastRequest: .connectivity
        }
    }
}

/// The value of one class; nil before the first.
struct VariantRow: Equatable, Sendable {
    var variant: Variant
    var value: String?
}
