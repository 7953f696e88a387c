// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The web server of a captive portal: it redirects every request to its login page.
struct PortalServer {
    static let login = "http://login.cafe.example/welcome"

    /// Serves on port 80 until it is killed.
    func run() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(80).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, listen(listener, 64) == 0 else { return perror("portal") }
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { continue }
            var request = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &request, request.count)
            let answer = Array(
                "HTTP/1.1 302 Found\r\nLocation: \(Self.login)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
            _ = write(connection, answer, answer.count)
            close(connection)
        }
    }
}
