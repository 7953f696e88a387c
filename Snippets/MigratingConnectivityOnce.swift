import Dialtone

let report = await InternetCheck().run()
print(report.reason ?? "online")
