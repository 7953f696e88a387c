import Dialtone
import DialtoneTesting

let internet = try ScriptedInternet()
let check = try InternetCheck(internet.configuration)
let checks = InternetCheckingConformance(check, over: SimulatedPath.wifi.path, expecting: .verified)
print(await checks.violations())
