// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension Encodable {
    /// The value on one line, with its keys in alphabetical order.
    package func oneLineJSON() throws -> String { try OneLineJSON.text(self) }
}
