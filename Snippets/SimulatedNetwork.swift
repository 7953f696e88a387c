import Dialtone
import DialtoneTesting

let network = SimulatedNetwork(.offline(.noCarrier))
let monitor = try ConnectivityMonitor(simulating: network)
print(await monitor.verify().reason ?? "online")  // wlan0 is not connected to a Wi-Fi network.

network.internet = .limited
network.become(.cellular)
print(await monitor.verify().reason ?? "online")  // HTTPS does not pass. Ask the operator of this network.
