#if Publishers || canImport(Combine)
import DialtoneCombine

func flags(_ cancellables: inout Set<AnyCancellable>) {
    guard let provider = NetworkReachability() else { return }
    provider.networkStatusHandler.sink { print($0) }.store(in: &cancellables)
    provider.startListening()
}

final class SomeReachability {
    var isUp = false
    var whenChanged: ((SomeReachability) -> Void)?
    func begin() throws {}
    func end() {}
}

extension SomeReachability: CallbackReachability {
    var statusHandler: (@Sendable (NetworkReachabilityStatus) -> Void)? {
        get { nil }
        set { whenChanged = { newValue?($0.isUp ? .reachable(.ethernetOrWiFi) : .notReachable) } }
    }
    var currentStatus: NetworkReachabilityStatus { isUp ? .reachable(.ethernetOrWiFi) : .notReachable }
    func startNotifier() throws { try begin() }
    func stopNotifier() { end() }
}

let provider = CallbackReachabilityProvider(SomeReachability())
print(provider)
#endif
