import Dialtone
import DialtoneTesting

let clock = TestClock()
let network = SimulatedNetwork(.wifi, clock: clock)
let monitor = try ConnectivityMonitor(simulating: network)
monitor.start()
network.play([
    .path(.offline(.noCarrier), after: .seconds(5)),
    .path(.cellular, after: .seconds(1)),
    .internet(.partial, after: .seconds(30)),
])
try await clock.sleepers(atLeast: 1)
clock.advance(by: .seconds(60))
print(monitor.current.reason ?? "online")  // HTTPS does not pass.
