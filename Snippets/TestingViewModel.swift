import Dialtone
import DialtoneTesting
import Observation

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable final class BannerModel {
    private(set) var text: String?
    @ObservationIgnored private var observation: ConnectivityObservation?

    init(_ monitor: ConnectivityMonitor) {
        // The closure runs on the actor that calls this method.
        observation = monitor.observe { [weak self] connectivity in
            self?.text = connectivity.cause == .notChecked ? nil : connectivity.reason
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor func testBanner() async throws {
    let network = SimulatedNetwork(.offline(.noCarrier))
    let monitor = try ConnectivityMonitor(simulating: network)
    let model = BannerModel(monitor)
    await monitor.verify()
    await monitor.deliverEverything()
    print(model.text ?? "no banner")  // wlan0 is not connected to a Wi-Fi network.
}
