// SPDX-License-Identifier: Apache-2.0

/// An Ethernet cable: `wire0` here, its other end `wire1` in the namespace `wire`.
enum Wire {
    static let setUp = """
        ip netns add wire
        ip link add wire0 type veth peer name wire1 netns wire
        ip -n wire addr add 198.51.100.1/24 dev wire1
        ip -n wire link set wire1 up
        ip addr add 198.51.100.2/24 dev wire0
        ip link set wire0 up
        ip route add default via 198.51.100.1 dev wire0
        """
    /// The path over the cable.
    static let path = "satisfied wire0=wiredEthernet via-198.51.100.1"
}

extension Lab {
    /// Plugs the cable in, and waits for the carrier, which appears a little later.
    func setUpWire() throws {
        try shell(Wire.setUp)
        try until("ip link show wire0 | grep -q 'state UP'")
    }
}
