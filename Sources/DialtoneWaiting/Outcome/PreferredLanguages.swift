// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Foundation
#endif

/// The languages that the user prefers.
public enum PreferredLanguages {
    /// The languages that this process was started with, best first.
    ///
    /// On Linux they come from the variables `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`, as gettext(3) reads them;
    /// on Apple platforms, from the user's settings.
    public static func ofThisProcess() -> [String] {
        #if canImport(Darwin)
        Locale.preferredLanguages
        #else
        languages { name in getenv(name).map { String(cString: $0) } }
        #endif
    }

    /// The languages that the variables of any environment select.
    static func languages(_ variable: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
        // The C locale has no translations, whatever LANGUAGE contains.
        guard let locale, locale != "C", locale != "POSIX", !locale.hasPrefix("C.") else { return [] }
        let list = variable("LANGUAGE")?.split(separator: ":").map(String.init) ?? []
        return list + [locale]
    }
}
