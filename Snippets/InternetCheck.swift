import Dialtone

let report = await InternetCheck().run()
switch report.verdict {
case .verified: print("Internet access is verified.")
case .partial: print("HTTP works, HTTPS does not.")
case .captivePortal(let url): print("The network requires a login: \(url)")
case .noInternet(let reason): print("No Internet: \(reason).")
case .inconclusive: print("Not enough evidence.")
}
