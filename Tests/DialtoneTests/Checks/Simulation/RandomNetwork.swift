// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import TestSupport

@testable import Dialtone
@testable import DialtoneTesting

/// A network that a seed decides, with none, one or two faults.
struct RandomNetwork: Sendable {
    /// What is between a machine and the Internet, and the proxy that it uses.
    struct Machine: Sendable {
        var chain = NetworkChain.home
        var usesProxy = false
    }

    let seed: UInt64
    let faults: [NetworkFault]
    let healthy: Machine
    let broken: Machine
    private let base: String

    /// The name of the proxy, if the machine uses one.
    static let proxy = "proxy.example"

    init(seed: UInt64) {
        self.seed = seed
        var random = RandomChoice(seed: seed)
        let isTunneled = seed % 25 == 20
        let hasOtherAddresses = seed % 25 == 15
        let kinds =
            isTunneled
            ? Self.kindsOfTunnel(&random)
            : hasOtherAddresses ? [random.pick(NetworkFault.Kind.ofAddresses)] : Self.kinds(&random)
        var (healthy, base) = Self.machine(for: kinds, &random)
        if isTunneled {
            healthy.enterTunnel()
            base += ", tunnel"
        }
        (self.healthy, self.base) = (healthy, base)
        var (faults, broken): ([NetworkFault], Machine) = ([], healthy)
        for kind in kinds { faults.append(NetworkFault(kind, in: healthy, &random)) }
        for fault in faults { fault.change(&broken) }
        (self.faults, self.broken) = (faults, broken)
    }

    private static func kinds(_ random: inout RandomChoice) -> [NetworkFault.Kind] {
        let count = random.pick([0, 1, 1, 1, 1, 1, 1, 2, 2, 2])
        guard count > 0 else { return [] }
        let others = NetworkFault.Kind.ofTunnels + NetworkFault.Kind.ofAddresses
        let all = NetworkFault.Kind.allCases.filter { !others.contains($0) }
        let first = random.pick(all)
        // The direct way, on which other faults are, is not used beside a proxy.
        guard count == 2, !first.needsProxy else { return [first] }
        return [first, random.pick(all.filter { $0 != first && !$0.needsProxy })]
    }

    private static func kindsOfTunnel(_ random: inout RandomChoice) -> [NetworkFault.Kind] {
        let first = random.pick([[]] + NetworkFault.Kind.ofTunnels.map { [$0] })
        // Beside it, the names, the operators or what is on the way to them may be broken.
        return first + (random.chance(40) ? [random.pick(NetworkFault.Kind.besideTunnels)] : [])
    }

    /// A network without faults.
    private static func machine(
        for kinds: [NetworkFault.Kind], _ random: inout RandomChoice
    ) -> (Machine, text: String) {
        var machine = Machine()
        let (link, path) = random.pick([
            ("Ethernet", SimulatedPath.wired.path), ("Wi-Fi", SimulatedPath.wifi.path),
            ("cellular", SimulatedPath.cellular.path),
        ])
        machine.chain.path = path
        let versions: [IPVersion] =
            kinds.compactMap(\.onlyVersion).first.map { [$0] }
            ?? (kinds.contains(where: \.needsBothVersions)
                ? IPVersion.allCases : random.pick([[.ipv4, .ipv6], [.ipv4, .ipv6], [.ipv4], [.ipv6]]))
        machine.chain.path.supportsIPv4 = versions.contains(.ipv4)
        machine.chain.path.supportsIPv6 = versions.contains(.ipv6)
        machine.chain.path.gateways.removeAll { !versions.contains($0.address.version) }
        // Some providers' links have no address of a router.
        let hasRouter = link != "cellular" || kinds.contains(where: \.needsRouter) || random.chance(50)
        if !hasRouter { machine.chain.path.gateways = [] }
        machine.chain[.router].addresses = machine.chain.path.gateways.map(\.address)
        // A router that queries over the dead version would be one more fault.
        let forwards = !kinds.contains { $0.needsBothVersions } && random.chance(70)
        machine.chain[.router].names = forwards ? .forwarded : .authoritative

        let version = random.pick(versions)
        let near = machine.chain[.router].addresses.prefix(1)
        let far = [NetworkAddress].publicResolvers.filter { $0.version == version }
        var choices: [(String, [NetworkAddress])] = [("two distant", Array(far.prefix(2)))]
        if hasRouter, !kinds.contains(where: \.needsDistantNameServers) {
            choices.append(("router and distant", Array(near + far.prefix(1))))
            if !kinds.contains(where: \.needsTwoNameServers) {
                choices += [("router", Array(near)), ("router", Array(near))]
            }
        }
        let (servers, addresses) = random.pick(choices)
        machine.chain.nameServers = addresses
        // It drops what is addressed to itself.
        let isQuiet = hasRouter && servers == "two distant" && random.chance(20)
        if isQuiet { machine.chain[.router].answering = [.drops] }

        let (delay, jitter) = (random.number(in: 1...80), random.pick([0, 1, 5, 20]))
        machine.chain[.provider].passing = [.delays(.milliseconds(delay)), .varies(upTo: .milliseconds(jitter))]
        machine.usesProxy = kinds.isEmpty ? random.chance(10) : kinds.contains(where: \.needsProxy)
        if machine.usesProxy {
            machine.chain.hosts.append(
                .init(
                    Self.proxy, addresses: [NetworkAddress(198, 51, 100, 31), "2001:db8:31::31"],
                    behavior: .proxy(to: machine.chain.hosts)))
        }
        let text =
            "\(link), \(versions.map { $0 == .ipv4 ? "IPv4" : "IPv6" }.joined(separator: " and ")), name servers: \(servers)"
            + (forwards ? ", forwarded" : "") + ", \(delay) to \(delay + jitter) ms"
            + (hasRouter ? isQuiet ? ", quiet router" : "" : ", no router") + (machine.usesProxy ? ", proxy" : "")
        return (machine, text)
    }
}

extension RandomNetwork: CustomStringConvertible {
    /// One line.
    var description: String {
        "seed \(seed): \(faults.isEmpty ? "no fault" : faults.map(\.description).joined(separator: " + ")) in [\(base)]"
    }

    /// The right answers, in one line.
    var truth: String {
        let places = Set(faults.flatMap(\.faults)).map(\.rawValue).sorted() + ["not known"]
        let remarks = Set(faults.flatMap(\.remarks)).map(\.rawValue).sorted()
        return (faults.allSatisfy(\.leavesInternet) ? "online, or " : "not online, ") + places.joined(separator: " or ")
            + (remarks.isEmpty ? "" : "; remarks: " + remarks.joined(separator: ", "))
    }
}

// MARK: - Changes

extension RandomNetwork.Machine {
    /// Sends all packets into a tunnel, which the link carries; the name service of the router is beside it.
    mutating func enterTunnel() {
        let link = chain.path.interfaces.first?.name ?? "eth0"
        chain.carriers = chain.path.gateways.map { .init($0.address, interface: link) }
        chain.path.gateways = []
        chain.path.interfaces = [.init(name: "tun0", index: 9, type: .other)]
        chain[.tunnel] = .init(.tunnel)
        // What a router answers from its cache does not show whether its uplink works.
        chain[.router].names = .forwarded
    }

    /// Makes hosts with names behave in another way; those of the default endpoints if no names are given.
    mutating func changeHosts(
        _ names: [String]? = nil,
        _ change: (ScriptedInternet.Behavior) -> ScriptedInternet.Behavior
    ) {
        for place in chain.hosts.indices {
            let host = chain.hosts[place]
            guard names.map({ !$0.isDisjoint(with: host.names) }) ?? !host.names.isEmpty else { continue }
            chain.hosts[place].behavior = change(host.behavior)
        }
    }

    /// Replaces the name service of servers; nil closes their port.
    mutating func setNames(_ service: NetworkChain.NameService?, of servers: ArraySlice<NetworkAddress>) {
        for server in servers {
            if chain[.router].addresses.contains(server) { chain[.router].names = service }
            for place in chain.hosts.indices where chain.hosts[place].addresses.contains(server) {
                chain.hosts[place].nameService = service
            }
        }
    }
}

extension Array where Element: Hashable {
    func isDisjoint(with others: [Element]) -> Bool { !contains(where: others.contains) }
}

extension ScriptedInternet.Behavior {
    /// The hosts' own pages, with a script added to each body.
    static func addingScripts(_ hosts: [NetworkChain.Host]) -> Self {
        Self { request in
            guard let own = hosts.answer(request), case .bytes(let bytes) = own.kind,
                let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound, end < bytes.count
            else { return hosts.answer(request) ?? .answer(404) }
            return .answer(
                200, fields: ["Content-Type": "text/html"],
                body: String(decoding: bytes[end...], as: UTF8.self) + "<script src=\"http://ads.example/\"></script>")
        }
    }

    /// A proxy that passes requests to hosts, also through tunnels.
    static func proxy(to hosts: [NetworkChain.Host]) -> Self {
        Self { $0.method == "CONNECT" ? .answer(200) : hosts.answer($0) ?? .answer(502) }
    }
}

extension [NetworkChain.Host] {
    /// The answer of the host that a request is for, also with a whole URL as its target.
    fileprivate func answer(_ request: ScriptedInternet.RecordedRequest) -> ScriptedInternet.Response? {
        let prefix = "http://\(request.host)"
        let target = request.target.hasPrefix(prefix) ? String(request.target.dropFirst(prefix.count)) : request.target
        let fields = request.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = [UInt8]("GET \(target) HTTP/1.1\r\n\(fields)".utf8)
        guard let own = ScriptedInternet.RecordedRequest(head: head, isSecure: request.isSecure) else { return nil }
        return first { $0.names.contains(request.host) }?.behavior.response(own)
    }
}

// MARK: - Random values

/// Random choices of a seed.
struct RandomChoice {
    /// An operator of the default endpoints.
    struct Operator: Sendable {
        let name: String
        var names: [String] = []
        var addresses: [NetworkAddress] = []
    }

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

    mutating func chance(_ percent: Int) -> Bool { number(in: 0...99) < percent }

    mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// This number of operators.
    mutating func operators(_ count: Int) -> [Operator] { Array(Self.all.shuffled(using: &random).prefix(count)) }

    mutating func shuffle<Value>(_ values: inout [Value]) { values.shuffle(using: &random) }

    private static let all: [Operator] = [InternetCheck.Endpoint].defaults.reduce(into: []) { all, endpoint in
        guard case .name(let host)? = try? HostTarget(endpoint.url).host, let name = endpoint.operatorName else {
            return
        }
        if all.last?.name != name { all.append(Operator(name: name)) }
        guard all.last?.names.contains(host) == false else { return }
        all[all.count - 1].names.append(host)
        all[all.count - 1].addresses += [NetworkChain.Host].operators.first { $0.names == [host] }?.addresses ?? []
    }
}
#endif
