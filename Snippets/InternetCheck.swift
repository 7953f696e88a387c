import Dialtone

let report = await InternetCheck().run()
print(report.reason ?? "Internet access is verified.")
if let page = report.verdict.portal { print("Log in here: \(page)") }
