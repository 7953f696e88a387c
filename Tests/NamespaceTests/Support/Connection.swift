// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import Netlink

/// The connection that an ordinary program would make, without our code: connect(2) of an unbound UDP socket.
enum Connection {
    /// The source address that the kernel chooses in the calling thread's namespace; nil when it refuses to connect.
    ///
    /// - Parameter link: the link that the socket is bound to; nil for any.
    static func source(to destination: String, over link: String? = nil) -> String? {
        var hints = addrinfo()
        (hints.ai_flags, hints.ai_socktype) = (AI_NUMERICHOST, Int32(SOCK_DGRAM.rawValue))
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(destination, "9", &hints, &found) == 0, let target = found?.pointee else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(target.ai_family, target.ai_socktype, 0)
        defer { close(descriptor) }
        if let link, setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, link, socklen_t(link.utf8.count)) != 0 {
            return nil
        }
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: 64)
        let isConnected = withUnsafeMutableBytes(of: &name) { bytes in
            guard let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return false }
            return connect(descriptor, target.ai_addr, target.ai_addrlen) == 0
                && getsockname(descriptor, name, &length) == 0
                && getnameinfo(name, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        }
        guard isConnected else { return nil }
        // A link-local address is followed by its link.
        return String(decoding: text.prefix { $0 != 0 && $0 != 37 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
#endif
