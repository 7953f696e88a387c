// SPDX-License-Identifier: Apache-2.0

import Netlink
import NetworkModel
import NetworkState

extension RouteAnswer.Outcome {
    /// The answer as text: `none`, `rejected`, or `unicast /0 metric 100 src 192.0.2.2 hop 2 via 192.0.2.1`.
    var text: String {
        switch self {
        case .noRoute: "none"
        case .rejected: "rejected"
        case .route(let route): route.text
        }
    }

    init?(recorded words: ArraySlice<Substring>) {
        switch words.first {
        case "none" where words.count == 1: self = .noRoute
        case "rejected" where words.count == 1: self = .rejected
        default:
            guard let route = FoundRoute(recorded: words) else { return nil }
            self = .route(route)
        }
    }
}

extension FoundRoute {
    fileprivate var text: String {
        var words = [type == .unicast ? "unicast" : "type \(type.rawValue)", "/\(prefixLength)"]
        if priority != 0 { words.append("metric \(priority)") }
        if let preferredSource { words.append("src \(preferredSource)") }
        for hop in nextHops {
            words.append("hop \(hop.interface ?? 0)")
            if let gateway = hop.gateway { words.append("via \(gateway)") }
            if !hop.flags.isEmpty { words.append("flags \(hop.flags.rawValue)") }
            if hop.weight != 1 { words.append("weight \(hop.weight)") }
        }
        return words.joined(separator: " ")
    }

    fileprivate init?(recorded words: ArraySlice<Substring>) {
        var words = words
        self.init(nextHops: [])
        if words.first == "unicast" {
            words.removeFirst()
        } else {
            guard words.popFirst() == "type", let number = words.popFirst().flatMap({ UInt8($0) }) else { return nil }
            type = RouteType(rawValue: number)
        }
        guard let length = words.popFirst(), length.first == "/", let number = UInt8(length.dropFirst()) else {
            return nil
        }
        prefixLength = number
        while let key = words.popFirst() {
            guard let value = words.popFirst(), take(String(key), String(value)) else { return nil }
        }
    }

    private mutating func take(_ key: String, _ value: String) -> Bool {
        let last = nextHops.indices.last
        switch (key, last) {
        case ("metric", nil): return assign(UInt32(value)) { priority = $0 }
        case ("src", nil): return assign(NetworkAddress(value)) { preferredSource = $0 }
        case ("hop", _): return assign(Int32(value)) { nextHops.append(NextHop(interface: $0 == 0 ? nil : $0)) }
        case ("via", let last?): return assign(NetworkAddress(value)) { nextHops[last].gateway = $0 }
        case ("flags", let last?):
            return assign(UInt32(value)) { nextHops[last].flags = NextHopFlags(rawValue: $0) }
        case ("weight", let last?): return assign(UInt16(value)) { nextHops[last].weight = $0 }
        default: return false
        }
    }

    private func assign<Value>(_ value: Value?, _ body: (Value) -> Void) -> Bool {
        guard let value else { return false }
        body(value)
        return true
    }
}
