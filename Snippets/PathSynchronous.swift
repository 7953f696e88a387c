import Dialtone

let path = NetworkPath.read()
print(path.status == .satisfied ? "There is a path." : path.diagnosis?.description ?? "There is no path.")
