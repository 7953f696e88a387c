#if !canImport(Darwin)
import Dialtone
import DialtoneTesting

// A hotel: everything takes two seconds, and a login page answers for every host.
var hotel = NetworkChain.home
hotel[.box].passing = [.delays(.seconds(2)), .plays(.portal(.redirect)).only(.tcp)]
let network = ScriptedNetwork(hotel)
let check = try InternetCheck(over: network.transport)
let report = await network.run { await check.run() }
print(report.portal?.host() ?? "none")  // login.portal.test
print(report.duration > .seconds(4))  // true
#endif
