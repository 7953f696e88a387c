// SPDX-License-Identifier: Apache-2.0

import Dialtone

@testable import DialtoneServer

extension Reader {
    /// What a request contains: a target's query or a form, cookies, and the address of `--listen`.
    static let request = Reader("request") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        precondition(FormText.decode(text).count <= 64, "more pairs than the limit")
        let request = Request(method: "GET", path: "/", fields: [.init(name: "cookie", value: text)])
        _ = request.cookie("dialtone-session")
        _ = try? ListenAddress(parsing: text)
    }
}
