// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import FoundationNetworking

extension URLSessionTask {
    /// The session that created the task; nil if unknown.
    ///
    /// A protocol class receives only the task, and a task does not expose its session, so this reflects on the task's
    /// properties. It must be called on the queue that starts the task, before the task is under way. If reflection
    /// ever fails, tasks still wait, but with the default timeout, and no delegate is called.
    var owner: URLSession? {
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            // The properties before this one do not change while a task starts; those after it are not touched.
            if let session = level.children.first(where: { $0.label == "session" }) {
                return session.value as? URLSession
            }
            mirror = level.superclassMirror
        }
        return nil
    }
}
#endif
