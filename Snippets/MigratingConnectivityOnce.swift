import Dialtone

let connectivity = await ConnectivityMonitor.shared.verify()
print(connectivity.isOnline ? "online" : "not online: \(connectivity.state)")
