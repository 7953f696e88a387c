// SPDX-License-Identifier: Apache-2.0

import LibC

/// The names and indexes of the kernel's interfaces, in the network namespace of the calling thread.
package enum InterfaceNames {
    /// Returns the index of the interface with a name, or nil.
    package static func index(of name: String) -> UInt32? {
        // C would read only the text before a NUL.
        guard !name.utf8.contains(0) else { return nil }
        let index = unsafe if_nametoindex(name)
        return index == 0 ? nil : index
    }

    /// Returns the name of the interface with an index, or nil.
    package static func name(of index: UInt32) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let start = buffer.baseAddress, let name = unsafe if_indextoname(index, start) else {
                return nil
            }
            return unsafe String(cString: name)
        }
    }
}
