import Dialtone

for await connectivity in ConnectivityMonitor.shared.updates() {
    print(connectivity.state, connectivity.reason ?? "")
}
