//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux) || os(Android)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
import CNetlinkShims

/// A thread of one's own, for work that changes the thread itself (namespaces) or that waits in the kernel.
///
/// It starts in the network namespace of the thread that makes it.
package enum DedicatedThread {
    /// Runs `body` on a new detached thread.
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes, shown by `ps -T`.
    ///   - body: the work.
    /// - Throws: `system` when there can be no more threads; the body is not run then.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(NetlinkError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // The new thread takes this reference over; if there is no thread, it is released here.
        let work = unsafe Unmanaged.passRetained(Work(name: name, body: body))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                unsafe CNetlink_nameThread(work.name)
                work.body()
                return nil
            }, unsafe work.toOpaque())
        guard result == 0 else {
            unsafe work.release()
            throw .system(Errno(rawValue: result), "pthread_create")
        }
    }

    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = String(name.prefix(15))
            self.body = body
        }
    }
}
#endif
