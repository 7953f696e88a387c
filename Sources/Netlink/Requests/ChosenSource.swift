// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CLinux

extension RouteLookup {
    /// Returns the source address that the kernel chooses for an unbound socket in the calling thread's network namespace; nil if it
    /// cannot send to the destination, or if the lookup has a mark, which needs a privilege.
    ///
    /// A lookup does not show this: without a source address it finds no route that is limited to some, and it does not report which
    /// address of another link the kernel borrows. This connects a UDP socket, which sends no packet.
    package func sourceOfUnboundSocket() -> NetworkAddress? {
        guard mark == nil else { return nil }
        let version = destination.version
        let destination = destination.bytes
        var source = [UInt8](repeating: 0, count: destination.count)
        let isChosen = unsafe destination.withUnsafeBufferPointer { destination in
            unsafe source.withUnsafeMutableBufferPointer { source in
                unsafe CLinux_chooseSource(
                    version == .ipv6, destination.baseAddress, interface ?? 0, source.baseAddress) == 0
            }
        }
        return isChosen ? NetworkAddress(bytes: source) : nil
    }
}
#endif
