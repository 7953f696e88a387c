#if canImport(SwiftUI)
import Dialtone
import SwiftUI

struct Banner: View {
    @State private var model = ConnectivityModel()

    var body: some View {
        // The check of a new network takes a moment.
        if let reason = model.reason, model.connectivity.cause != .notChecked {
            Label(reason, systemImage: "wifi.slash")
        }
    }
}
#endif
