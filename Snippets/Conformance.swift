import Dialtone
import DialtoneTesting

let internet = try ScriptedInternet()
let check = try InternetCheck(internet.configuration)
let checks = InternetCheckingConformance(check, over: SimulatedPath.wifi.path, expecting: .online)
print(await checks.violations())
