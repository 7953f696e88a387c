import Dialtone

let report = await InternetCheck().run()
print(report.reason ?? "Internet access is verified.")
if let page = report.portal { print("Log in here: \(page)") }
