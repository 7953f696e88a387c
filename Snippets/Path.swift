import Dialtone

for await path in NetworkPath.updates() {
    switch path.status {
    case .satisfied: print("There is a way out, over \(path.interfaces.map(\.name)).")
    default: print(path.diagnosis?.description ?? "There is none.")
    }
}
