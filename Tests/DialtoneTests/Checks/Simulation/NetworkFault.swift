// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import TestSupport

@testable import Dialtone
@testable import DialtoneTesting

/// A fault in a ``RandomNetwork``: what it changes, and the right answers to the question of what is broken.
struct NetworkFault: Sendable {
    /// Each kind, with what is the same in all its faults.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        // This machine.
        case machineDrops = "this machine drops everything"
        case machineRejects = "this machine rejects everything"
        case machineBlocksHTTPS = "this machine blocks TCP to port 443"
        case wrongClock = "wrong clock"
        case addressBlocked = "one public address blocked"
        // The router and what lies beyond.
        case routerGone = "no router"
        case routerHangs = "router answers ARP only"
        case uplinkDead = "silent uplink"
        case uplinkReports = "router reports that nothing is reachable"
        case uplinkProhibits = "provider prohibits everything"
        case loss = "packets lost"
        case severeLoss = "most packets lost"
        case slight = "few packets lost"
        case delay = "answers late"
        case longDelay = "answers take seconds"
        case versionDead = "one IP version dead"
        case versionRejected = "one IP version rejected"
        // Name servers.
        case namesSilent = "name servers silent"
        case namesRefused = "port 53 closed"
        case namesFail = "name servers fail"
        case namesMissing = "names do not exist"
        case namesForged = "names forged"
        case firstNameServerDead = "first of two name servers dead"
        case namesBlocked = "port 53 blocked"
        case namesSlow = "name servers slow"
        // Something on the way.
        case secureIntercepted = "HTTPS of several operators intercepted"
        case secureReset = "HTTPS of several operators reset"
        case secureDropped = "HTTPS of several operators dropped"
        case oneSecure = "HTTPS of one operator blocked"
        case plainBlocked = "plain HTTP blocked"
        case pagesRewritten = "pages rewritten"
        case boxCloses = "box accepts and closes"
        case boxMute = "box accepts in silence"
        case boxAnswers = "box answers for everything"
        case largeLost = "large packets lost"
        case largeLostOfVersion = "large packets of one IP version lost"
        case portal = "portal"
        case portalSparing = "portal that lets operators pass"
        case portalOfVersion = "portal for one IP version"
        case portalByNames = "portal at the address of all names"
        // Operators.
        case operatorDown = "one operator down"
        case operatorRedirected = "one operator redirected"
        case operatorUnnamed = "one operator without names"
        case operatorsDown = "two operators down"
        // Proxies.
        case proxySilent = "proxy silent"
        case proxyRefuses = "proxy refuses"
        case proxyLogin = "proxy requires a login"
        case proxyError = "proxy fails"
        case proxyTunnel = "proxy refuses tunnels"
        case proxyName = "proxy without a name"
        // Tunnels.
        case tunnelDead = "tunnel dead"
        case carrierRouterGone = "no router below a tunnel"
        case carrierUplinkDead = "silent uplink below a tunnel"
        // Addresses that are not the hosts' own.
        case translationDead = "NAT64 dead"
        case transparentDead = "transparent proxy dead"
        case transparentAlone = "transparent proxy without the Internet"
    }

    let kind: Kind
    /// Its difference from others of its kind.
    var detail = ""
    /// The places that may be blamed.
    var faults: Set<ConnectivityFault> = []
    /// The causes that name it where no place is known.
    var causes: Set<ConnectivityCause> = []
    /// The remarks that name it, or that are otherwise true because of it.
    var remarks: Set<InternetCheck.Remark.Kind> = []
    /// Whether enough of the Internet answers.
    var leavesInternet = false
    /// Whether a check over it must pass.
    var keepsOnline: Bool {
        [
            .slight, .delay, .firstNameServerDead, .addressBlocked, .oneSecure, .operatorDown,
            .operatorRedirected, .operatorUnnamed,
        ]
        .contains(kind)
    }
    /// Whether the time of each packet decides what a check sees.
    var isRandom = false
    /// Applies the fault to the network.
    var change: @Sendable (inout RandomNetwork.Machine) -> Void = { _ in }

    /// Whether a conclusion names it.
    func isNamed(by conclusion: Conclusion) -> Bool {
        conclusion.fault.map(faults.contains) ?? conclusion.cause.map(causes.contains) ?? false
            || conclusion.remarks.contains { remarks.contains($0.kind) }
    }
}

extension NetworkFault.Kind {
    /// Whether the network has both IP versions.
    var needsBothVersions: Bool {
        [.versionDead, .versionRejected, .largeLostOfVersion, .portalOfVersion].contains(self)
    }

    var needsProxy: Bool {
        [.proxySilent, .proxyRefuses, .proxyLogin, .proxyError, .proxyTunnel, .proxyName].contains(self)
    }

    /// Whether the network has two name servers.
    var needsTwoNameServers: Bool { self == .firstNameServerDead }

    /// Whether the network has a router with an address.
    var needsRouter: Bool {
        [.routerGone, .routerHangs, .transparentAlone].contains(self) || Self.ofTunnels.contains(self)
    }

    /// The IP version that alone the network has; nil if it may have any.
    var onlyVersion: IPVersion? {
        switch self {
        case .translationDead: .ipv6
        case .transparentDead, .transparentAlone: .ipv4
        default: nil
        }
    }

    /// Faults of networks in which names lead to other addresses than those of the hosts.
    static let ofAddresses: [Self] = [.translationDead, .transparentDead, .transparentAlone]

    /// The faults of a machine whose packets enter a tunnel.
    static let ofTunnels: [Self] = [.tunnelDead, .carrierRouterGone, .carrierUplinkDead]

    /// Faults that a machine with a tunnel has as others do.
    static let besideTunnels: [Self] = [
        .wrongClock, .addressBlocked, .loss, .severeLoss, .slight, .delay, .longDelay, .namesSilent, .namesRefused,
        .namesFail, .namesMissing, .namesForged, .namesBlocked, .namesSlow, .secureIntercepted, .secureReset,
        .secureDropped, .oneSecure, .plainBlocked, .pagesRewritten, .boxCloses, .boxMute, .boxAnswers, .largeLost,
        .operatorDown, .operatorRedirected, .operatorUnnamed, .operatorsDown,
    ]

    /// Whether its name servers are on the Internet.
    var needsDistantNameServers: Bool { self == .namesBlocked }
}

extension NetworkFault: CustomStringConvertible {
    var description: String { kind.rawValue + (detail.isEmpty ? "" : " (\(detail))") }
}

// MARK: - Random faults

extension NetworkFault {
    typealias Behavior = ScriptedInternet.Behavior
    typealias Effect = NetworkChain.Behavior

    /// Creates a random fault of a kind.
    init(_ kind: Kind, in machine: RandomNetwork.Machine, _ random: inout RandomChoice) {
        self.kind = kind
        switch kind {
        case .machineDrops, .machineRejects, .machineBlocksHTTPS, .wrongClock: breakMachine(&random)
        case .addressBlocked: blockAddress(machine, &random)
        case .routerGone, .routerHangs, .uplinkDead, .uplinkReports, .uplinkProhibits: breakUplink(&random)
        case .loss, .severeLoss, .slight, .delay, .longDelay: impair(&random)
        case .versionDead, .versionRejected, .largeLostOfVersion, .portalOfVersion: breakVersion(machine, &random)
        case .namesSilent, .namesRefused, .namesFail, .namesMissing, .namesForged, .firstNameServerDead,
            .namesBlocked, .namesSlow:
            breakNames(machine, &random)
        case .secureIntercepted, .secureReset, .secureDropped, .oneSecure: blockHTTPS(&random)
        case .plainBlocked, .pagesRewritten, .boxCloses, .boxMute, .boxAnswers, .largeLost: addBox(machine, &random)
        case .portal, .portalSparing, .portalByNames: addPortal(&random)
        case .operatorDown, .operatorRedirected, .operatorUnnamed, .operatorsDown: breakOperators(&random)
        case .proxySilent, .proxyRefuses, .proxyLogin, .proxyError, .proxyTunnel, .proxyName: breakProxy(&random)
        case .translationDead, .transparentDead, .transparentAlone: replaceAddresses(&random)
        case .tunnelDead:
            faults = [.tunnel]
            change = { $0.chain[.tunnel].passing.append(.drops) }
        case .carrierRouterGone:
            faults = [.router]
            change = { $0.chain[.router].isPresent = false }
        case .carrierUplinkDead:
            faults = [.provider]
            // Only a name server beside the tunnel shows that the tunnel is not to blame.
            if !machine.chain.nameServers.contains(where: machine.chain[.router].addresses.contains) {
                faults.insert(.tunnel)
            }
            // Nothing in the tunnel is nearer than that.
            change = {
                $0.chain[.router].passing.insert(.drops, at: 0)
                $0.chain[.provider].passing.append(.drops)
            }
        }
    }

    private mutating func breakMachine(_ random: inout RandomChoice) {
        faults = [.machine]
        // The firewall comes before the link, which may lose what passes.
        switch kind {
        case .machineDrops: change = { $0.chain[.machine].passing.insert(.drops, at: 0) }
        case .machineRejects: change = { $0.chain[.machine].passing.insert(.rejects, at: 0) }
        case .machineBlocksHTTPS:
            // Without root, a check cannot distinguish it from a filter on the way.
            faults = [.machine, .filter]
            let (text, effect) = random.pick([("drops", Effect.drops), ("rejects", .rejects)])
            detail = text
            change = { $0.chain[.machine].passing.insert(effect.only(.tcpPort(443)), at: 0) }
        default:
            change = { machine in
                machine.changeHosts { Behavior(https: .expired, $0.response) }
            }
        }
    }

    private mutating func blockAddress(_ machine: RandomNetwork.Machine, _ random: inout RandomChoice) {
        leavesInternet = true
        let address = random.pick(
            [NetworkAddress].publicResolvers.dropFirst().filter { !machine.chain.nameServers.contains($0) })
        let place = random.pick([NetworkChain.Part.Kind.machine, .box])
        let (text, effect) = random.pick([("drops", Effect.drops), ("rejects", .rejects)])
        detail = "\(address), \(place) \(text)"
        change = { $0.chain[place].passing.append(effect.towards([address])) }
    }

    private mutating func breakUplink(_ random: inout RandomChoice) {
        faults = [.provider]
        switch kind {
        case .routerGone:
            faults = [.router]
            change = { $0.chain[.router].isPresent = false }
        case .routerHangs:
            faults = [.router]
            change = {
                $0.chain[.router].answering = [.drops]
                $0.chain[.router].passing.append(.drops)
            }
        case .uplinkDead: change = { $0.chain[.provider].passing.append(.drops) }
        case .uplinkReports:
            let (text, effect) = random.pick([("no route", Effect.reportsNoRoute), ("no host", .reportsNoHost)])
            detail = text
            change = { $0.chain[.router].passing.append(effect) }
        default:
            // The provider's own filter may do that.
            faults.insert(.filter)
            change = { $0.chain[.provider].passing.append(.rejects) }
        }
    }

    private mutating func impair(_ random: inout RandomChoice) {
        leavesInternet = true
        if kind == .delay || kind == .longDelay {
            let milliseconds = kind == .delay ? random.number(in: 300...900) : random.number(in: 1200...4000)
            detail = "\(milliseconds) ms"
            (causes, remarks) = ([.slow], [.slowAnswers, .slowNames])
            // The time limit of a check decides which of the late answers it gets.
            isRandom = kind == .longDelay
            change = { $0.chain[.provider].passing.append(.delays(.milliseconds(milliseconds))) }
            return
        }
        isRandom = true
        (causes, remarks) = ([.packetLoss, .lateByLoss], [.packetLoss, .slowAnswers, .slowNames])
        let percent = random.number(in: kind == .slight ? 1...3 : kind == .loss ? 8...30 : 40...75)
        let isOfLink = random.chance(50)
        detail = "\(percent) % each way, " + (isOfLink ? "on the link" : "by the provider")
        if !isOfLink, kind == .severeLoss { faults = [.provider] }
        let place: NetworkChain.Part.Kind = isOfLink ? .machine : .provider
        change = { $0.chain[place].passing.append(.loses(Double(percent) / 100)) }
    }

    private mutating func breakVersion(_ machine: RandomNetwork.Machine, _ random: inout RandomChoice) {
        leavesInternet = true
        let version = random.pick(IPVersion.allCases)
        detail = version == .ipv4 ? "IPv4" : "IPv6"
        remarks = [.addressFamily]
        let addresses = machine.chain.hosts.flatMap(\.addresses).filter { $0.version == version }
        switch kind {
        case .versionDead:
            // A name server that is reached by this version does not answer either.
            (faults, remarks) = ([.provider], [.addressFamily, .nameServer, .slowNames])
            causes = [.addressFamily]
            change = { $0.chain[.provider].passing.append(.drops.only(.version(version))) }
        case .versionRejected:
            (faults, remarks) = ([.provider], [.addressFamily, .nameServer, .slowNames])
            causes = [.addressFamily]
            change = { $0.chain[.router].passing.append(.reportsNoRoute.only(.version(version))) }
        case .largeLostOfVersion:
            (faults, remarks) = ([.filter], [.largePackets])
            change = { $0.chain[.box].passing.append(.losesLargePackets.towards(addresses)) }
        default:
            (faults, remarks) = ([.portal], [.addressFamily, .dissent])
            change = { $0.chain[.box].passing.append(.plays(.portal(.redirect)).only(.tcp).towards(addresses)) }
        }
    }

    private mutating func breakNames(_ machine: RandomNetwork.Machine, _ random: inout RandomChoice) {
        faults = [.nameServers]
        var service: NetworkChain.NameService?
        switch kind {
        case .namesSilent: service = .always(.silence)
        case .namesRefused: break
        case .namesFail:
            let (text, answer) = random.pick([
                ("SERVFAIL", ScriptedResolver.Answer.serverFailure), ("REFUSED", .refusal),
            ])
            detail = text
            service = .always(answer)
        case .namesMissing: service = .always(.notFound)
        case .namesForged:
            let (text, answer) = random.pick([
                ("private", ScriptedResolver.Answer.addresses("10.0.0.1", "fd00::1")),
                ("public", .addresses("198.51.100.99", "2001:db8:99::99")),
                ("router", .addresses("192.0.2.1", "fe80::1")),
            ])
            detail = text
            service = .always(answer)
        case .firstNameServerDead:
            (leavesInternet, remarks, causes) = (true, [.nameServer, .slowNames], [.lateNameServer])
            let isSilent = random.chance(70)
            detail = isSilent ? "silent" : "closed"
            change = { $0.setNames(isSilent ? .always(.silence) : nil, of: $0.chain.nameServers.prefix(1)) }
            return
        case .namesSlow:
            (leavesInternet, remarks, causes) = (true, [.slowNames, .nameServer], [.lateNames, .lateNameServer])
            let milliseconds = random.number(in: 1000...3500)
            detail = "\(milliseconds) ms"
            let isOfRouter = machine.chain[.router].addresses.contains { machine.chain.nameServers.contains($0) }
            let effect = Effect.delays(.milliseconds(milliseconds)).only(.udpPort(53))
            change = { machine in
                if isOfRouter { machine.chain[.router].answering.append(effect) }
                machine.chain[.box].passing.append(effect.towards(machine.chain.nameServers))
            }
            return
        default:
            faults.insert(.filter)
            let (text, effect) = random.pick([("drops", Effect.drops), ("rejects", .rejects)])
            detail = text
            change = { $0.chain[.box].passing.append(effect.only(.udpPort(53))) }
            return
        }
        change = { [service] in $0.setNames(service, of: $0.chain.nameServers[...]) }
    }

    private mutating func blockHTTPS(_ random: inout RandomChoice) {
        (faults, remarks) = ([.filter], [.dissent])
        let count = kind == .oneSecure ? 1 : random.number(in: 2...6)
        // Half of the endpoints pass as long as half of the operators' HTTPS does.
        (leavesInternet, remarks) = (count <= 3, [.secureConnections])
        if count == 1 { faults.insert(.endpoints) }
        var effects = [
            ("a foreign authority", Effect.plays(Behavior(https: .untrusted))),
            ("another name", .plays(Behavior(https: .misnamed))), ("self-signed", .plays(Behavior(https: .selfSigned))),
        ]
        let blocks = [
            ("reset at once", Effect.resets), ("reset in the handshake", .plays(Behavior(https: .resetting))),
            ("rejected", .rejects),
        ]
        let drops = [("dropped", Effect.drops), ("accepted in silence", .plays(.silent))]
        switch kind {
        case .secureReset: effects = blocks
        case .secureDropped: effects = drops
        case .oneSecure: effects += blocks + drops
        default: break
        }
        let (text, effect) = random.pick(effects)
        let operators = random.operators(count)
        // A block for all holds for every address.
        let isOfAll = count == 6 && random.chance(50)
        detail = "\(count), \(text)" + (isOfAll ? ", and of all addresses" : "")
        let addresses = operators.flatMap(\.addresses)
        let behavior = effect.only(.tcpPort(443))
        change = { $0.chain[.box].passing.append(isOfAll ? behavior : behavior.towards(addresses)) }
    }

    private mutating func addBox(_ machine: RandomNetwork.Machine, _ random: inout RandomChoice) {
        faults = [.filter]
        var behaviors: [(String, Effect)] = []
        switch kind {
        case .plainBlocked:
            leavesInternet = true
            let blocks = [("drops", Effect.drops), ("rejects", .rejects), ("resets", .resets)]
            behaviors = blocks.map { ($0.0, $0.1.only(.tcpPort(80))) }
        case .pagesRewritten:
            (leavesInternet, remarks) = (true, [.dissent])
            behaviors = [("scripts", .plays(.addingScripts(machine.chain.hosts)).only(.tcpPort(80)))]
        case .boxCloses:
            faults.insert(machine.chain.carriers == nil ? .provider : .tunnel)
            behaviors = [
                ("reset", .plays(Behavior(http: .resetting, https: .resetting)).only(.tcp)),
                ("end after the request", .plays(.always(.raw([]), https: .resetting)).only(.tcp)),
            ]
        case .boxMute:
            faults.insert(machine.chain.carriers == nil ? .provider : .tunnel)
            behaviors = [("TCP", .plays(.silent).only(.tcp))]
        case .boxAnswers:
            behaviors = [204, 404, 503].flatMap { status in
                [Behavior.ConnectionBehavior.closed, .silent, .selfSigned].map { secure in
                    ("\(status), HTTPS \(secure)", .plays(.always(.answer(status), https: secure)).only(.tcp))
                }
            }
        default: behaviors = [("", .losesLargePackets)]
        }
        let (text, behavior) = random.pick(behaviors)
        detail = text
        change = { $0.chain[.box].passing.append(behavior) }
    }

    private mutating func addPortal(_ random: inout RandomChoice) {
        faults = [.portal]
        let portal = random.pick(Behavior.Portal.allCases)
        let spared = kind == .portalSparing ? random.operators(random.number(in: 1...3)).flatMap(\.names) : []
        let secure: Behavior.ConnectionBehavior = random.pick([.silent, .resetting, .closed, .selfSigned])
        if kind == .portalByNames {
            faults.insert(.nameServers)
            detail = "\(portal), HTTPS \(secure)"
            change = { machine in
                let answer = ScriptedResolver.Answer.addresses("10.0.0.1", "fd00::1")
                let own = [NetworkAddress(10, 0, 0, 1), "fd00::1"]
                machine.setNames(.always(answer), of: machine.chain.nameServers[...])
                machine.chain[.box].passing += [
                    .plays(.portal(portal, https: secure)).only(.tcp).towards(own), .resolves(answer), .drops,
                ]
            }
            return
        }
        let dropsOthers = random.chance(50)
        detail = "\(portal), HTTPS \(secure), lets \(spared.count) hosts pass" + (dropsOthers ? ", drops UDP" : "")
        change = { machine in
            let passing = machine.chain.hosts.filter { !spared.isDisjoint(with: $0.names) }.flatMap(\.addresses)
            let others = machine.chain.hosts.flatMap(\.addresses).filter { !passing.contains($0) }
            let login = Effect.plays(.portal(portal, https: secure)).only(.tcp)
            machine.chain[.box].passing.append(login.towards(others))
            if dropsOthers { machine.chain[.box].passing.append(.drops.only(.udpPort(443))) }
        }
    }

    private mutating func breakOperators(_ random: inout RandomChoice) {
        // Plain HTTP of an operator may be another host, which is not down.
        (leavesInternet, faults, remarks) = (true, [.endpoints], [.dissent, .secureConnections])
        let broken = random.operators(kind == .operatorsDown ? 2 : 1)
        let (names, addresses) = (broken.flatMap(\.names), broken.flatMap(\.addresses))
        let title = broken.map(\.name).joined(separator: ", ")
        switch kind {
        case .operatorUnnamed:
            faults.insert(.nameServers)
            detail = title
            change = { machine in
                for place in machine.chain.hosts.indices where !names.isDisjoint(with: machine.chain.hosts[place].names)
                {
                    machine.chain.hosts[place].names = []
                }
            }
        case .operatorRedirected:
            faults.insert(.filter)
            detail = title
            change = { $0.changeHosts(names) { _ in .portal(.redirect, https: .resetting) } }
        default:
            let behaviors: [(String, Behavior?)] = [
                ("silent", nil), ("mute", .silent), ("refuses", .refusing), ("503", .always(.answer(503))),
                ("resets", Behavior(http: .resetting, https: .resetting)), ("404", .always(.answer(404))),
                ("slow", .slow(.seconds(60))),
            ]
            let (text, behavior) = random.pick(behaviors)
            detail = "\(title): \(text)"
            change = { machine in
                if let behavior { return machine.changeHosts(names) { _ in behavior } }
                machine.chain[.provider].passing.append(.drops.towards(addresses))
            }
        }
    }

    /// Gives hosts other addresses, which do not lead to them.
    private mutating func replaceAddresses(_ random: inout RandomChoice) {
        let operators = random.operators(kind == .translationDead ? random.number(in: 2...5) : 6)
        let names = operators.flatMap(\.names)
        let addresses = names.indices.map { place in
            kind == .translationDead
                ? NetworkAddress("64:ff9b::203.0.113.\(place + 1)") ?? .any(.ipv6)
                : NetworkAddress(198, 18, 1, UInt8(place + 1))
        }
        let own = Dictionary(uniqueKeysWithValues: zip(names, addresses))
        let (text, effect) = random.pick([
            ("drops", Effect.drops), ("accepts", .plays(.silent).only(.tcp)),
            ("closes", .plays(Behavior(http: .resetting, https: .resetting)).only(.tcp)),
        ])
        (faults, causes) = ([.proxy], [])
        detail = text
        var effects = [effect.towards(addresses)]
        switch kind {
        case .translationDead:
            (faults, causes, remarks) = ([.provider], [.addressFamily], [.addressFamily])
            leavesInternet = operators.count <= 3
            detail = "\(operators.count) operators"
            effects = [.drops.towards(addresses)]
        case .transparentAlone:
            (faults, causes) = ([], [.transparentProxy])
            effects = [effect, .drops]
        default: break
        }
        change = { [kind, effects] machine in
            for place in machine.chain.hosts.indices {
                guard let address = machine.chain.hosts[place].names.first.flatMap({ own[$0] }) else { continue }
                machine.chain.hosts[place].addresses = [address]
            }
            machine.chain[.box].passing += effects
            guard kind == .transparentAlone else { return }
            machine.chain.nameServers = Array(machine.chain[.router].addresses.prefix(1))
            (machine.chain[.router].names, machine.chain[.router].answering) = (.authoritative, [])
        }
    }

    private mutating func breakProxy(_ random: inout RandomChoice) {
        faults = [.proxy]
        let name = [RandomNetwork.proxy]
        switch kind {
        case .proxySilent:
            let isMute = random.chance(50)
            detail = isMute ? "accepts" : "drops"
            change = { machine in
                if isMute { return machine.changeHosts(name) { _ in .silent } }
                machine.chain[.provider].passing.append(.drops.only(.tcpPort(3128)))
            }
        case .proxyRefuses: change = { $0.changeHosts(name) { _ in .refusing } }
        case .proxyLogin: change = { $0.changeHosts(name) { _ in .always(.answer(407)) } }
        case .proxyError:
            let status = random.pick([502, 503, 504])
            detail = "\(status)"
            change = { $0.changeHosts(name) { _ in .always(.answer(status)) } }
        case .proxyTunnel:
            change = {
                $0.changeHosts(name) { host in
                    Behavior { $0.method == "CONNECT" ? .answer(403) : host.response($0) }
                }
            }
        default:
            change = { machine in
                for place in machine.chain.hosts.indices where machine.chain.hosts[place].names == name {
                    machine.chain.hosts[place].names = []
                }
            }
        }
    }
}
#endif
