import Dialtone

for await path in NetworkPath.updates() {
    switch path.status {
    case .satisfied: print("Connected over \(path.interfaces.map(\.name)).")
    default: print(path.diagnosis?.description ?? "Not connected.")
    }
}
