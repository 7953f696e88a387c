// SPDX-License-Identifier: Apache-2.0

import DialtoneHistory
import Testing

@testable import Dialtone

/// The catalogues of the report: each language has all of its words.
struct ReportWordingTests {
    private static let types: [InterfaceType?] = [nil, .wifi, .cellular, .wiredEthernet, .loopback, .other]
    private static let causes =
        Set(
            Rule.all.compactMap(\.cause).map(\.rawValue) + PathDiagnosis.Reason.allCases.map(\.rawValue)
                + InternetCheck.NoInternetReason.allCases.map(\.rawValue)
                + [
                    "passive", "stopped", "crashed", "paused", "started", "clockSet", "suspended", "off", "discarded",
                    "noRecord", "routerRestarted",
                ]
        ).sorted()

    @Test(arguments: ReportWording.Language.allCases)
    func `every label, state, side and observation is in each language`(language: ReportWording.Language) {
        let (wording, english) = (language.wording, ReportWording.Language.english.wording)
        #expect(wording.language == language)
        for label in ReportWording.Label.allCases {
            let text = wording.labels[label] ?? ""
            #expect(!text.isEmpty, "\(label)")
            // A language may insert the values in another order, and leaves none out.
            func values(_ text: String?) -> [String] {
                (text ?? "").matches(of: /\{([0-9])\}/).map { String($0.output.1) }.sorted()
            }
            #expect(values(text) == values(english.labels[label]), "\(label)")
        }
        #expect(wording.states.count == HistoryState.allCases.count)
        #expect(wording.sides.count == ConnectivityFault.allCases.count)
        #expect(wording.observations.count == ConnectivityFault.allCases.count)
        #expect(Set(wording.sides.values).count == wording.sides.count)
        #expect(wording.observations.values.allSatisfy { $0.hasSuffix(".") })
        for type in Self.types.compactMap(\.self) {
            let record = HistoryTransition(
                time: Sample.time(0), state: .offline, interfaceName: "x", interfaceType: type.reportName)
            #expect(!wording.interface("x", record).contains("()"))
        }
    }

    @Test(arguments: ReportWording.Language.allCases, causes)
    func `every cause has a sentence in each language, which has no address`(
        language: ReportWording.Language, cause: String
    ) throws {
        for type in Self.types {
            let record = HistoryTransition(
                time: Sample.time(0), state: .offline, cause: HistoryCause(rawValue: cause),
                interfaceName: type.map { _ in "wan" },
                interfaceType: type?.reportName)
            let sentence = try #require(language.wording.cause(record))
            #expect(!sentence.isEmpty && !sentence.contains { $0.isNumber || $0 == "/" }, "\(sentence)")
            // The name of an interface is in one language where it is in the other.
            let english = ReportWording.Language.english.wording.cause(record) ?? ""
            if cause != "addressTentative" {
                #expect(sentence.contains("wan") == english.contains("wan"), "\(sentence)")
            }
        }
    }

    @Test func `an unknown cause is not quoted`() {
        for language in ReportWording.Language.allCases {
            let record = HistoryTransition(
                time: Sample.time(0), state: .offline, cause: HistoryCause(rawValue: "10.0.0.1 said no"))
            #expect(language.wording.cause(record) == nil)
        }
    }

    @Test func `a value is inserted as it is`() {
        let english = ReportWording.Language.english.wording
        #expect(english.text(.fromTo, "{1}", "b{", "{9}") == "{1} to b{, {9}")
        #expect(english.text(.title, "") == "Internet outages of ")
    }

    @Test func `figures have the separator of the language`() {
        let german = ReportWording.Language.german.wording
        #expect(german.percentage(0.9975) == "99,75 %" && german.percentage(0.000_01) == "unter 0,01 %")
        #expect(german.latency(1.25) == "1,2 s" && german.exactDuration(0.2) == "unter 1 s")
    }

    @Test(
        arguments: [
            ([:], .english), (["LANG": "de_DE.UTF-8"], .german), (["LANG": "C"], .english),
            (["LANG": "fr_FR"], .english),
            (["LANG": "de_AT@euro", "LC_ALL": "en_GB"], .english), (["LC_MESSAGES": "de", "LANG": "en_US"], .german),
            (["LC_ALL": "", "LANG": "de"], .german),
        ] as [([String: String], ReportWording.Language)])
    func `the environment selects the language`(environment: [String: String], language: ReportWording.Language) {
        #expect(ReportWording.Language(environment: environment) == language)
    }
}
