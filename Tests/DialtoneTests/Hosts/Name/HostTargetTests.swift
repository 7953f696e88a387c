// SPDX-License-Identifier: Apache-2.0

import Dialtone
import Foundation
import TestSupport
import Testing

struct HostTargetTests {
    @Test func `a policy takes a literal`() throws {
        #expect(WaitingPolicy(.host("example.com")).level == .host(try HostTarget("example.com")))
    }

    @Test(
        arguments: [
            ("example.com", "example.com", nil), ("EXAMPLE.com.", "example.com", nil),
            ("example.com:443", "example.com", 443),
            ("localhost", "localhost", nil), ("_dmarc.example.com", "_dmarc.example.com", nil),
            ("XN--BCHER-KVA.example", "xn--bcher-kva.example", nil),
            ("192.0.2.1", "192.0.2.1", nil), ("192.0.2.1:80", "192.0.2.1", 80), ("127.1", "127.0.0.1", nil),
            ("0x7f.1:1", "127.0.0.1", 1), ("::1", "::1", nil), ("[::1]", "::1", nil), ("[::1]:443", "::1", 443),
            ("2001:DB8::1", "2001:db8::1", nil), ("::ffff:192.0.2.1", "192.0.2.1", nil),
            ("fe80::1%lo", "fe80::1%lo", nil),
            ("[fe80::1%lo]:8080", "fe80::1%lo", 8080), ("example.com:65535", "example.com", 65535),
        ] as [(String, String, UInt16?)])
    func `a host and its port are parsed`(text: String, host: String, port: UInt16?) throws {
        let target = try HostTarget(text)
        #expect(target.hostText == host)
        #expect(target.port == port)
    }

    @Test(
        arguments: [
            ("https://example.com", "example.com", 443), ("http://example.com/a:b@c?d#e", "example.com", 80),
            ("HTTPS://user:pass@example.com:8443/", "example.com", 8443), ("https://[::1]/", "::1", 443),
            ("https://[::1]:1", "::1", 1), ("ssh://git@example.com", "example.com", 22),
            ("x-own://example.com", "example.com", nil),
            ("https://[fe80::1%25lo]/", "fe80::1%lo", 443), ("https://example.com:/", "example.com", 443),
            ("https://b%6Fok.example", "book.example", 443), ("wss://127.0.0.1", "127.0.0.1", 443),
        ] as [(String, String, UInt16?)])
    func `a URL has its host, and its port or the scheme's`(text: String, host: String, port: UInt16?) throws {
        let target = try HostTarget(text)
        #expect(target.hostText == host)
        #expect(target.port == port)
    }

    @Test(
        .requires(.internationalNames),
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.example", "xn--bcher-kva.example"),
            ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("faß.de", "xn--fa-hia.de"),
            ("βόλος.com", "xn--nxasmm1c.com"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("ｅｘａｍｐｌｅ．com", "example.com"),
            ("https://b%C3%BCcher.example", "xn--bcher-kva.example"), ("a\u{2060}ü.com", "xn--a-eha.com"),
            ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"), ("한국.한국", "xn--3e0b707e.xn--3e0b707e"),
            ("\u{1112}\u{1161}\u{11ab}국", "xn--3e0b707e"), ("が.example", "xn--v8j.example"),
            ("か\u{3099}.example", "xn--v8j.example"),
            ("עברית.example", "xn--5dbqzzl.example"), ("1.עברית", "1.xn--5dbqzzl"),
            ("l·l.example", "xn--ll-0ea.example"), ("क्\u{200D}ष", "xn--11b2ezcw70k"),
        ])
    func `an international name is converted to the form of DNS`(text: String, ascii: String) throws {
        #expect(try HostTarget(text).hostText == ascii)
    }

    @Test(
        .requires(.internationalNames),
        arguments: [
            ("☕.example", .invalidInternationalName), ("\u{0301}a.example", .invalidInternationalName),
            ("नी\u{200D}", .invalidInternationalName), ("xn--999999999.ü", .invalidInternationalName),
            (String(repeating: "ü", count: 64), .labelTooLong), (String(repeating: "ü.", count: 90), .nameTooLong),
            ("ü..b", .invalidLabel), ("ü.-a", .invalidInternationalName), ("。", .invalidLabel),
            // Characters that the conversion replaces by these.
            ("a／b", .invalidCharacter), ("℀.com", .invalidCharacter), ("１２７。１", .invalidAddress),
            ("１.0x1", .invalidAddress),
        ] as [(String, HostTargetError.Code)])
    func `an international name that DNS does not allow is refused`(text: String, code: HostTargetError.Code) {
        #expect(self.code(text) == code)
    }

    @Test(
        arguments: [
            ("", .empty, ""), (":443", .empty, ""), ("https://", .empty, "https://"),
            ("https:///path", .empty, "https://"),
            ("exa mple.com", .invalidCharacter, "exa mple.com"), (" example.com", .invalidCharacter, " example.com"),
            ("example.com\0.evil", .invalidCharacter, "example.com\0.evil"), ("a/b", .invalidCharacter, "a/b"),
            ("127.0.0.1\0", .invalidCharacter, "127.0.0.1\0"), ("a\u{00A0}b", .invalidCharacter, "a\u{00A0}b"),
            ("git@example.com", .invalidCharacter, "example.com"), ("u:secret@a:1", .invalidCharacter, "a:1"),
            ("u:50%@a", .invalidCharacter, "a"), ("[fe80::1%no@where]:1", .unknownInterface, "no@where"),
            ("a\u{1B}[31m", .invalidCharacter, "a\u{1B}[31m"), ("a..b", .invalidLabel, "a..b"),
            (".", .invalidLabel, "."),
            (".a", .invalidLabel, ".a"), ("-a.example", .invalidLabel, "-a"), ("a-.example", .invalidLabel, "a-"),
            ("256.0.0.1", .invalidAddress, "256.0.0.1"), ("1.2.3.4.5", .invalidAddress, "1.2.3.4.5"),
            (":::", .invalidAddress, ":::"), ("[::1", .invalidAddress, "[::1"),
            ("[::1]443", .invalidAddress, "[::1]443"),
            ("[example.com]:1", .invalidAddress, "[example.com]:1"), ("[1.2.3.4]", .invalidAddress, "[1.2.3.4]"),
            ("fe80::1%nowhere0", .unknownInterface, "nowhere0"), ("[fe80::1%]:1", .unknownInterface, ""),
            ("example.com:", .invalidPort, ""), ("example.com:0", .invalidPort, "0"),
            ("example.com:65536", .invalidPort, "65536"),
            ("example.com:-1", .invalidPort, "-1"), ("example.com:http", .invalidPort, "http"),
            ("[::1]:", .invalidPort, ""),
            ("example.com:٤٤٣", .invalidPort, "٤٤٣"),
            ("xn--.com", .invalidLabel, "xn--"), ("xn--abc-.com", .invalidLabel, "xn--abc-"),
            ("1https://example.com", .invalidURL, "1https"), ("https://a%zz.example", .invalidURL, "a%zz.example"),
            ("https://a%ff.example", .invalidURL, "a%ff.example"), ("https://a%00b", .invalidCharacter, "a\0b"),
            // This character and a colon are one `Character`.
            ("https://example.com\u{0600}:", .invalidInternationalName, "example.com\u{0600}"),
        ] as [(String, HostTargetError.Code, String)])
    func `an invalid text is refused with the problem`(text: String, code: HostTargetError.Code, part: String)
        throws
    {
        let error = try #require(throws: HostTargetError.self) { try HostTarget(text) }
        #expect(error.code == code)
        #expect(error.part == part)
        #expect(!error.description.isEmpty)
    }

    @Test func `lengths are limited as in DNS`() throws {
        let label = String(repeating: "a", count: 63)
        #expect(throws: Never.self) { try HostTarget(label + ".example") }
        #expect(code(label + "a.example") == .labelTooLong)
        let name = Array(repeating: label, count: 3).joined(separator: ".") + "." + String(repeating: "a", count: 61)
        #expect(try HostTarget(name).hostText.utf8.count == 253)
        #expect(try HostTarget(name + ".").hostText == name)
        #expect(code(name + "a") == .nameTooLong)
        let endless = String(repeating: "a.", count: 100_000)
        #expect(code(endless) == .nameTooLong)
    }

    @Test func `the text of a target parses to the same target`() throws {
        for text in ["example.com", "example.com:1", "[::1]:443", "::1", "192.0.2.1:9", "xn--bcher-kva.example:80"] {
            let target = try HostTarget(text)
            #expect(target.description == text)
            #expect(try HostTarget(target.description) == target)
        }
    }

    @Test func `a URL value gives the same target as its text`() throws {
        let url = try #require(URL(string: "https://example.com:444/x"))
        #expect(try HostTarget(url).description == "example.com:444")
        let relative = try #require(URL(string: "just/a/path"))
        #expect(code(relative) == .invalidURL)
    }

    @Test func `random text never traps`() {
        var generator = SeededGenerator(seed: 5891)
        let pieces = [
            "a", "xn--", "-", ".", ":", "[", "]", "%", "://", "@", "/", "1", "::", "ü", "\u{301}", "\0", "。", "%25",
            "99999", " ", "\u{200D}", "ß",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
                pieces.randomElement(using: &generator)
            }.joined()
            guard let target = try? HostTarget(text) else { continue }
            #expect((try? HostTarget(target.description)) == target, "\(text) -> \(target)")
        }
    }

    private func code(_ text: String) -> HostTargetError.Code? {
        code { () throws(HostTargetError) in try HostTarget(text) }
    }

    private func code(_ url: URL) -> HostTargetError.Code? {
        code { () throws(HostTargetError) in try HostTarget(url) }
    }

    private func code(_ body: () throws(HostTargetError) -> HostTarget) -> HostTargetError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return error.code
        }
    }
}

extension Capability {
    /// On Linux: libidn2.
    fileprivate static let internationalNames = Capability("international host names") {
        _ = try HostTarget("bücher.example")
    }
}
