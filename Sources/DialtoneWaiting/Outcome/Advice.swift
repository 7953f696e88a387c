// SPDX-License-Identifier: Apache-2.0

/// A text that explains an outcome to a user: the problem, and the next step.
public struct Advice: Hashable, Sendable {
    /// The problem in a few words, suitable as a heading.
    public var title: String
    /// The next step, in a sentence or two.
    public var instruction: String

    /// Creates advice from its texts.
    public init(title: String, instruction: String) {
        self.title = title
        self.instruction = instruction
    }
}

/// Advice for every outcome, in any number of languages.
///
/// It contains English and German texts. You can add languages, and replace any text:
///
/// ```swift
/// var catalog = AdviceCatalog.standard
/// catalog["fr", .offline] = Advice(title: "Hors ligne", instruction: "Vérifiez votre connexion et réessayez.")
/// print(outcome.advice(from: catalog, in: ["fr"]).title)
/// ```
public struct AdviceCatalog: Hashable, Sendable {
    private var texts: [String: [RequestOutcome.Code: Advice]] = [:]
    /// The texts for requests without an outcome.
    private var stateTexts: [String: [RequestStatus.State: Advice]] = [:]

    /// Creates a catalog without texts.
    public init() {}

    /// The texts of this package, in English and German.
    public static let standard: AdviceCatalog = {
        var catalog = AdviceCatalog()
        catalog.texts = ["en": english, "de": german]
        catalog.stateTexts = ["en": englishStates, "de": germanStates]
        return catalog
    }()

    /// The languages of the catalog, as BCP 47 tags.
    public var languages: Set<String> { Set(texts.keys) }

    /// The text for an outcome in a language given by its BCP 47 tag, such as `de` or `pt-BR`; case does not matter.
    public subscript(language: String, code: RequestOutcome.Code) -> Advice? {
        get { texts[Self.tag(language)]?[code] }
        set { texts[Self.tag(language), default: [:]][code] = newValue }
    }

    /// The text for a status without an outcome, `unknown` or `checking`, in a language.
    ///
    /// Other states use the text of their outcome.
    public subscript(language: String, status state: RequestStatus.State) -> Advice? {
        get { stateTexts[Self.tag(language)]?[state] }
        set { stateTexts[Self.tag(language), default: [:]][state] = newValue }
    }

    /// The text for an outcome in the first of the given languages that the catalog has.
    ///
    /// An exact match comes first, then the same language without a region.
    ///
    /// - Returns: the English text if no given language is available, and this package's English text if that is
    ///   missing too.
    public func advice(for code: RequestOutcome.Code, in languages: [String]) -> Advice {
        Self.find(code, in: texts, languages) ?? english[code] ?? Advice(title: code.rawValue, instruction: "")
    }

    /// The text for a status without an outcome, chosen by the same rules.
    func advice(for state: RequestStatus.State, in languages: [String]) -> Advice {
        Self.find(state, in: stateTexts, languages) ?? englishStates[state]
            ?? Advice(title: state.rawValue, instruction: "")
    }

    private static func find<Key>(_ key: Key, in texts: [String: [Key: Advice]], _ languages: [String]) -> Advice? {
        for language in languages + ["en"] {
            var tag = tag(language)
            while true {
                if let advice = texts[tag]?[key] { return advice }
                guard let cut = tag.lastIndex(of: "-") else { break }
                tag = String(tag[..<cut])
            }
        }
        return nil
    }

    /// Normalizes a language name: `de_AT.UTF-8` and `de-at` are the same language.
    private static func tag(_ text: String) -> String {
        String(text.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 }).lowercased()
    }
}

extension RequestOutcome {
    /// The text to show to the user.
    ///
    /// - Parameters:
    ///   - catalog: the texts.
    /// - languages: the languages that the user reads, best first, as BCP 47 tags or as POSIX locale names; by default,
    ///   those of this process's environment.
    public func advice(
        from catalog: AdviceCatalog = .standard, in languages: [String] = PreferredLanguages.ofThisProcess()
    ) -> Advice {
        var advice = catalog.advice(for: code, in: languages)
        if let status { advice.instruction += " (\(status))" }
        return advice
    }
}
