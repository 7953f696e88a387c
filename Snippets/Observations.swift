import Dialtone
import Observation

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
@MainActor func printReasons() async {
    let model = ConnectivityModel()
    for await reason in Observations({ model.reason }) {
        print(reason ?? "online")
    }
}
