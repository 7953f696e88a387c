// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import FoundationNetworking

extension Mirror {
    /// The value of an object's stored property, without its optional; nil without such a property or value.
    ///
    /// Properties that follow the property are not touched; those before it in the same class are read.
    static func property(_ name: String, of object: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let level = mirror {
            if let value = level.children.first(where: { $0.label == name })?.value {
                let optional = Mirror(reflecting: value)
                return optional.displayStyle == .optional ? optional.children.first?.value : value
            }
            mirror = level.superclassMirror
        }
        return nil
    }
}

extension URLSessionTask {
    /// The session that created the task; nil if unknown.
    ///
    /// A protocol class receives only the task, and a task does not expose its session, so this reflects on the task's
    /// properties. It must be called on the queue that starts the task, before the task is under way: the properties
    /// before this one do not change while a task starts. If reflection ever fails, tasks still wait, but with the
    /// default timeout, and no delegate is called.
    var owner: URLSession? { Mirror.property("session", of: self) as? URLSession }
}

#endif
