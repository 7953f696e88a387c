import Dialtone

let report = await LineCheckup().run()
print(report.fault?.description ?? "Nothing is wrong as far as this machine can tell.")
