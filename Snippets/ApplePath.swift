import OpenNetwork  // or `import Network`: see below

let monitor = NWPathMonitor()
monitor.pathUpdateHandler = { path in
    print(path.status == .satisfied ? "connected over \(path.availableInterfaces)" : "no path")
}
monitor.start(queue: .main)
dispatchMain()
