import Dialtone
import DialtoneTesting

let internet = try ScriptedInternet()
let check = try InternetCheck(internet.configuration)
internet.play(.portal(.redirect))
let report = await check.run()
print(report.state)

var configuration = internet.configuration
configuration.endpoints = [.init("http://vendor.test/")]
let names = ScriptedResolver(["vendor.test": .addresses("127.0.0.1")])
let named = try InternetCheck(configuration, resolver: names)
print(await named.run().state)
