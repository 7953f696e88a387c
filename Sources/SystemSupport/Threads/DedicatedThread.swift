// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(Android)
import CLinux
import LibC

/// A dedicated thread, for work that changes the thread itself (namespaces) or that blocks in the kernel.
///
/// It starts in the network namespace of the calling thread.
package enum DedicatedThread {
    /// Runs `body` on a new detached thread.
    ///
    /// - Parameter name: at most 15 bytes, shown by `ps -T`.
    /// - Throws: the system's error if the thread cannot be created; the body does not run then.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Musl)
        // By default a thread has 128 KiB there, too little for a resolver or TLS.
        unsafe pthread_attr_setstacksize(&attributes, 512 * 1024)
        #endif
        // The new thread takes ownership of this reference; if there is no thread, it is released here.
        let work = unsafe Unmanaged.passRetained(Work(name: name, body: body))
        #if canImport(Musl)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let result = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                unsafe CLinux_nameThread(work.name)
                work.body()
                return nil
            }, unsafe work.toOpaque())
        guard result == 0 else {
            unsafe work.release()
            throw SystemError(result)
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
