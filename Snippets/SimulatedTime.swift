import Dialtone
import DialtoneTesting

let clock = TestClock()
let network = SimulatedNetwork(.wifi, clock: clock)
let monitor = try ConnectivityMonitor(simulating: network)
network.play([
    .path(.offline(.noCarrier), after: .seconds(5)),
    .internet(.limited, after: .seconds(1)),
    .path(.cellular),
])
// The clock moves on when a value has arrived: checks run as tasks, and end at any time.
for await connectivity in monitor.updates() {
    if connectivity.state == .limited {
        print(connectivity.reason ?? "")  // HTTPS does not pass. Ask the operator of this network.
        break
    }
    clock.advance(by: .seconds(5))
}
