import Dialtone

for await path in NetworkPath.updates(PathFilter(prohibitedTypes: [.cellular])) {
    print(path.status == .satisfied ? "connected without cellular" : "not connected")
}
