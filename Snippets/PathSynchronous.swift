import Dialtone

let path = NetworkPath.read()
print(path.status == .satisfied ? "There is a path." : path.reason ?? "There is no path.")
