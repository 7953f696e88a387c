//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if !canImport(Darwin)
import Foundation
import FoundationNetworking

extension URLSessionTask {
    /// The session that made the task; nil where that cannot be found out.
    ///
    /// A protocol class is told of the task only, and a task does not tell its session, so this looks at what the task is
    /// made of. To be called on the queue that begins the task, before it is under way. Where it should fail one day, tasks
    /// wait all the same, but with the usual timeout, and nobody is called.
    var owner: URLSession? {
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            // The properties before this one do not change while a task begins; those behind it are not touched.
            if let session = level.children.first(where: { $0.label == "session" }) {
                return session.value as? URLSession
            }
            mirror = level.superclassMirror
        }
        return nil
    }
}
#endif
