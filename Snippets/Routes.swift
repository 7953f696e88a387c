import Netlink

var kernel = try RouteNetlink()
for link in try kernel.links() {
    print(link.index, link.name ?? "?", link.flags.contains(.running) ? "running" : "not running")
}
if let address = NetworkAddress("192.0.2.1") {
    let route = try kernel.route(RouteLookup(to: address))
    print("packets to \(address) leave by", route.nextHops)
}
