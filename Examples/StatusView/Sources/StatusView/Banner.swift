#if canImport(SwiftUI)
import Dialtone
import SwiftUI

struct Banner: View {
    @State private var connectivity = ConnectivityModel()

    var body: some View {
        if !connectivity.isOnline {
            Label("Offline", systemImage: "wifi.slash")
        }
    }
}
#endif
