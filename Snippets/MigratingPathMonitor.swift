import Dialtone

@MainActor
final class Banner {
    private let model = ConnectivityModel()

    var text: String? {
        model.isOnline ? nil : model.connectivity.path.reason ?? "Not online."
    }
}
