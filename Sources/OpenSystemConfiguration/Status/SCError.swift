// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's and the C library's.

#if !canImport(Darwin)

public import Foundation
import LibC

/// Returns the status of the last call that failed on this thread.
///
/// A successful call does not reset it, so read it right after a failure. Source: Apple's documentation of `SCError()`.
@discardableResult
public func SCError() -> Int32 { LastError.code }

/// Returns a description of a status, or of a system error number.
///
/// - Returns: a text that is never freed, or for a number that is neither, one that is valid until this thread's next
///   call. Source: Apple's documentation of `SCErrorString(_:)`, configd's table.
@discardableResult
public func SCErrorString(_ status: Int32) -> UnsafePointer<CChar> {
    let text = StatusText.text(Int(status))
    if let text { return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self) }
    if let system = unsafe strerror(status) { return unsafe UnsafePointer(system) }
    return unsafe UnsafeRawPointer(StatusText.unknown.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Returns the status of the last call that failed on this thread, as an error object in the framework's domain.
///
/// Source: Apple's documentation of `SCCopyLastError()`.
@discardableResult
public func SCCopyLastError() -> CFError {
    let code = SCError()
    let text = unsafe String(cString: SCErrorString(code))
    return NSError(
        domain: kCFErrorDomainSystemConfiguration as String, code: Int(code),
        userInfo: [NSLocalizedDescriptionKey: text])
}

/// The error domain of the framework.
public var kCFErrorDomainSystemConfiguration: CFString { "com.apple.SystemConfiguration" as NSString }

/// Stores the last status of each thread.
enum LastError {
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The calling thread's status; 0 if no call has failed on it.
    static var code: Int32 {
        get {
            guard let key else { return 0 }
            return unsafe Int32(truncatingIfNeeded: Int(bitPattern: pthread_getspecific(key)))
        }
        set {
            guard let key else { return }
            unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: Int(newValue)))
        }
    }

    /// Stores the status of a failing call.
    ///
    /// - Returns: false, for the caller to return.
    static func fail(_ status: Int) -> Bool {
        code = Int32(truncatingIfNeeded: status)
        return false
    }
}

#endif
