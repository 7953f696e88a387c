#if canImport(SwiftUI)
import Dialtone
import SwiftUI

struct Banner: View {
    @State private var connectivity = ConnectivityModel()

    var body: some View {
        if let reason = connectivity.reason {
            Label(reason, systemImage: "wifi.slash")
        }
    }
}
#endif
