import Netlink

#if os(Linux)
func namespaces() throws {
    let lab = try NetworkNamespace()
    var kernel = try RouteNetlink(in: lab)
    try kernel.createLink(.bridge(name: "br0"))
    try lab.run {
        // Everything that this thread opens is in the namespace.
    }
}

func events() async throws {
    let events = try RouteEvents()
    var kernel = try RouteNetlink()
    var links = try kernel.links()
    for try await event in events {
        switch event {
        case .message(.newLink(let link)): print(link.name ?? "?", link.flags)
        case .message: break
        case .lost: links = try kernel.links()
        }
    }
    print(links.count)
}

func changes() throws {
    var kernel = try RouteNetlink()
    try kernel.createLink(.veth(name: "a", peer: "b"))
    let a = try kernel.link(named: "a")
    if let prefix = NetworkPrefix("192.0.2.1/24") { try kernel.addAddress(prefix, to: a.index) }
    try kernel.setLink(a.index, up: true)
}

func tunnels() throws {
    let tunnel = try Tunnel(name: "tun0", carrying: .packets)
    print(tunnel)
}
#endif

func addresses() {
    let router = NetworkAddress("192.0.2.1")
    print(router?.description ?? "?")
}
