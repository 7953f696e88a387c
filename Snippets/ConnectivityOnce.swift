import Dialtone

let connectivity = await ConnectivityMonitor.shared.verify()
print(connectivity.reason ?? "online")
