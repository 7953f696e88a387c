import Dialtone
import Observation

actor Uploads {
    private var observation: ConnectivityObservation?
    private var isPaused = false

    func begin(_ monitor: ConnectivityMonitor) {
        observation = monitor.observe { [weak self] connectivity in
            self?.assumeIsolated { $0.isPaused = connectivity.path.isExpensive }
        }
    }
}

let monitor = ConnectivityMonitor.shared
let observation = monitor.observe(on: .main) { connectivity in
    print(connectivity.isOnline ? "online" : "offline")
}

let model = ConnectivityModel()
withObservationTracking {
    print(model.isOnline)
} onChange: {
    print("about to change")
}

for await connectivity in monitor.updates() where connectivity.isOnline {
    print("online over \(connectivity.path.interfaces.map(\.name)).")
}
