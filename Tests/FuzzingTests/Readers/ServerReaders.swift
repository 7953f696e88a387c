// SPDX-License-Identifier: Apache-2.0

@testable import DialtoneServer

extension Reader {
    /// Requests to the server: the result must not depend on how the bytes are split.
    static let request = Reader("request") { bytes in
        let whole = requests(bytes, size: max(bytes.count, 1))
        let cut = requests(bytes, size: 1)
        precondition(cut.requests == whole.requests && cut.error == whole.error, "cut apart, it reads differently")
        _ = FormText.decode(String(decoding: bytes, as: UTF8.self))
        _ = try? ListenAddress(parsing: String(decoding: bytes, as: UTF8.self))
    }

    /// The requests that are read before the connection ends.
    private static func requests(_ bytes: [UInt8], size: Int) -> (requests: [Request], error: RequestError?) {
        var parser = RequestParser(ServerLimits())
        var found: [Request] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            parser.feed(bytes[start..<min(start + size, bytes.count)])
            do throws(RequestError) {
                while let request = try parser.next() {
                    precondition(request.body.count <= ServerLimits().bodyBytes, "a body beyond the limit")
                    found.append(request)
                }
            } catch {
                return (found, error)
            }
        }
        return (found, nil)
    }
}
