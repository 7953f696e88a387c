import Dialtone

let report = await NetworkDiagnostics().run()
print(report.fault?.description ?? "Nothing is wrong as far as this machine can tell.")
