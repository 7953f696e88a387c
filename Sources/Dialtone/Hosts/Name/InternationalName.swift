// SPDX-License-Identifier: Apache-2.0

import LibC

#if canImport(Darwin)
import SystemSupport
#endif

/// Converts international host names to the form of DNS: Unicode TR 46, nontransitional, with the rules of IDNA 2008.
///
/// On Linux libidn2 does it, which glibc's resolver also loads when it is needed. The results need the checks for
/// names in ASCII: the conversion may produce a number, a slash or an empty label.
enum InternationalName {
    /// The name in ASCII.
    static func ascii(_ name: String) throws(HostTargetError) -> String {
        #if canImport(Darwin)
        if let ascii = URL(string: "https://\(name)")?.host() { return ascii }
        throw invalid(name)
        #else
        guard let lookup = unsafe lookup else {
            throw HostTargetError(
                .invalidInternationalName, name,
                "Install libidn2 to use international names, or write this one in ASCII, with xn--")
        }
        var output: UnsafeMutablePointer<CChar>?
        let status = unsafe lookup(name, &output, nfcInput | nontransitional)
        defer { unsafe free(output) }
        switch status {
        case 0: return unsafe output.map { unsafe String(cString: $0) } ?? ""
        case tooBigDomain: throw HostName.tooLong(name)
        case punycodeBigOutput, tooBigLabel:
            throw HostTargetError(.labelTooLong, name, "A part of this host name is longer than 63 letters in ASCII")
        default: throw invalid(name)
        }
        #endif
    }

    private static func invalid(_ name: String) -> HostTargetError {
        HostTargetError(.invalidInternationalName, name, "This is not a valid international host name")
    }

    #if !canImport(Darwin)
    private typealias Lookup =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, CInt) -> CInt

    /// `idn2_lookup_u8`, loaded at run time, so that only programs that meet an international name need the library.
    private static let lookup = unsafe dlopen("libidn2.so.0", RTLD_NOW).flatMap { unsafe dlsym($0, "idn2_lookup_u8") }
        .map { unsafe unsafeBitCast($0, to: Lookup.self) }

    // IDN2_NFC_INPUT, IDN2_NONTRANSITIONAL
    private static let nfcInput: CInt = 1
    private static let nontransitional: CInt = 8
    // IDN2_PUNYCODE_BIG_OUTPUT, IDN2_TOO_BIG_DOMAIN, IDN2_TOO_BIG_LABEL
    private static let punycodeBigOutput: CInt = -203
    private static let tooBigDomain: CInt = -205
    private static let tooBigLabel: CInt = -206
    #endif
}
