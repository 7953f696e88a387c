import Dialtone

let report = await NetworkDiagnostics().run()
print(report.explanation ?? "Nothing is wrong as far as this machine can tell.")
