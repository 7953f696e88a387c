import Dialtone
import DialtoneTesting

let paths = PathSourceConformance {
    SimulatedNetwork()
} change: { network in
    network.become(network.path == .wifi ? .wired : .wifi)
}
print(await paths.violations())

let internet = try ScriptedInternet()
let check = try InternetCheck(internet.configuration)
let checks = InternetCheckingConformance(check, over: SimulatedPath.wifi.path, expecting: .verified)
print(await checks.violations())
