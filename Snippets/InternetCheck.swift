import Dialtone

let report = await InternetCheck().run()
switch report.verdict {
case .verified: print("This is the Internet.")
case .partial: print("HTTP passes, HTTPS does not.")
case .captivePortal(let url): print("The network wants a login: \(url)")
case .noInternet(let reason): print("No Internet: \(reason).")
case .inconclusive: print("That could not be found out.")
}
