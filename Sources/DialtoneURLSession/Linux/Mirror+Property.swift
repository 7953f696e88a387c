// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import FoundationNetworking
import SystemSupport

/// The private properties of Foundation's objects that this module reads.
///
/// Another version of Foundation may lack them. A test finds each in the version in use.
enum PrivateProperty: String, CaseIterable {
    /// The session of a `URLSessionTask`.
    case session
    /// The queue on which Foundation starts and stops the protocol of a `URLSessionTask`.
    case workQueue
    /// The transfer of Foundation's own loader.
    case easyHandle
    /// libcurl's handle of a transfer.
    case rawHandle
}

extension Mirror {
    /// The value of an object's stored property, without its optional; nil without such a property or value.
    ///
    /// Properties that follow the property are not touched; those before it in the same class are read.
    static func property(_ property: PrivateProperty, of object: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let level = mirror {
            if let value = level.children.first(where: { $0.label == property.rawValue })?.value {
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
    /// before this one do not change while a task starts. If reflection ever fails, which is logged once, tasks still wait,
    /// but with the default timeout, and no delegate is called.
    var owner: URLSession? { Self.owner(of: self) }

    /// The queue on which Foundation starts and stops the task's protocol; nil if unknown.
    ///
    /// It must be called where `owner` may be.
    var queue: DispatchQueue? { Mirror.property(.workQueue, of: self) as? DispatchQueue }

    static func owner(of task: Any) -> URLSession? {
        let owner = Mirror.property(.session, of: task) as? URLSession
        if owner == nil, hasExplainedUnknownOwner.set() {
            NSLog(
                "%@",
                "The session of a URLSession task cannot be determined in this version of Foundation: its delegate is not "
                    + "notified of waits, and timeoutIntervalForResource is a week. Update Dialtone.")
        }
        return owner
    }

    private static let hasExplainedUnknownOwner = OnceFlag()
}

#endif
