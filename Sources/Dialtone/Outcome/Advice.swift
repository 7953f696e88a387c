//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a person is told of an outcome: what is the matter, and what to do.
public struct Advice: Hashable, Sendable {
    /// What is the matter, in a few words; fit for a heading.
    public var title: String
    /// What to do, in a sentence or two.
    public var instruction: String

    /// Makes advice.
    public init(title: String, instruction: String) {
        self.title = title
        self.instruction = instruction
    }
}

/// Advice for every outcome, in any number of languages.
///
/// English and German are there; more can be added, and any text can be replaced:
///
/// ```swift
/// var catalog = AdviceCatalog.standard
/// catalog["fr", .offline] = Advice(title: "Hors ligne", instruction: "Vérifiez votre connexion et réessayez.")
/// print(outcome.advice(from: catalog, in: ["fr"]).title)
/// ```
public struct AdviceCatalog: Hashable, Sendable {
    private var texts: [String: [RequestOutcome.Code: Advice]] = [:]
    /// For requests that have no outcome yet.
    private var stateTexts: [String: [RequestStatus.State: Advice]] = [:]

    /// Makes an empty catalog.
    public init() {}

    /// The texts of this package.
    public static let standard: AdviceCatalog = {
        var catalog = AdviceCatalog()
        catalog.texts = ["en": english, "de": german]
        catalog.stateTexts = ["en": englishStates, "de": germanStates]
        return catalog
    }()

    /// The languages that there are, as BCP 47 tags.
    public var languages: Set<String> { Set(texts.keys) }

    /// The text for an outcome in a language, by its BCP 47 tag, such as `de` or `pt-BR`; case does not matter.
    public subscript(language: String, code: RequestOutcome.Code) -> Advice? {
        get { texts[Self.tag(language)]?[code] }
        set { texts[Self.tag(language), default: [:]][code] = newValue }
    }

    /// The text for a status without an outcome, `unknown` or `checking`, in a language; other states go by their outcome.
    public subscript(language: String, status state: RequestStatus.State) -> Advice? {
        get { stateTexts[Self.tag(language)]?[state] }
        set { stateTexts[Self.tag(language), default: [:]][state] = newValue }
    }

    /// The text for an outcome in the first of some languages that there is: the very one, else the same without region.
    ///
    /// - Returns: English where none of them is there, and this package's English where that is missing too.
    public func advice(for code: RequestOutcome.Code, in languages: [String]) -> Advice {
        Self.find(code, in: texts, languages) ?? english[code] ?? Advice(title: code.rawValue, instruction: "")
    }

    /// The same for a status without an outcome.
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

    /// `de_AT.UTF-8` and `de-at` are one language.
    private static func tag(_ text: String) -> String {
        String(text.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 }).lowercased()
    }
}

extension RequestOutcome {
    /// What to tell a person.
    ///
    /// - Parameters:
    ///   - catalog: the texts.
    ///   - languages: the languages that the person reads, best first, as BCP 47 tags or as POSIX names of locales;
    ///     without it, those of this process's environment.
    public func advice(
        from catalog: AdviceCatalog = .standard, in languages: [String] = PreferredLanguages.ofThisProcess()
    ) -> Advice {
        var advice = catalog.advice(for: code, in: languages)
        if let status { advice.instruction += " (\(status))" }
        return advice
    }
}
