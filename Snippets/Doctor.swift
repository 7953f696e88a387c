import Dialtone

let report = await NetworkDiagnostics().run()
print(report.reason ?? "Nothing is wrong as far as this machine can tell.")
